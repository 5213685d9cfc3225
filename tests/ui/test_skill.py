"""bot/ui/skill.py: what is told of, and what may be chance."""

from datetime import UTC, datetime

from bot.domain.age import Age
from bot.domain.coach.chart_features import DENSITY, ERA, TEMPO, ChartFeatureSet
from bot.domain.coach.player_model import FirstTries, PlayerModel
from bot.domain.coach.prediction import Form
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.ids import JP2, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.features.skill import SkillReport
from bot.ui.language.text import Languages
from bot.ui.skill import skill_embed, skill_plot

T = Languages()["en"]
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip


def test_a_leaning_within_its_doubt_stands_in_the_picture_alone() -> None:
    coefficients = (
        TraitCoefficient(DENSITY, 0.2, 0.1, 90, stands_out=True),
        TraitCoefficient(TEMPO, -0.2, 0.1, 80, stands_out=True),
        TraitCoefficient(ERA, -0.05, 0.1),
    )
    found = PlayerModel(
        predictions={},
        offset=0.0,
        learn_coefficients=lambda: coefficients,
        features=ChartFeatureSet(traits=(), charts=()),
        counted=1,
        first_tries=FirstTries(0, 0.0),
    )
    report = SkillReport(
        player=PLAYER, model=found, played=99, region=JP2, age=Age(datetime(2026, 11, 21, tzinfo=UTC)),
        audience=Audience.ANYONE,
    )  # fmt: skip
    assert [field.value for field in skill_embed(T, report).fields] == [
        "**many notes** +18 ± 8%, from 90 records",
        "**fast songs** −22 ± 12%, from 80 records",
    ]
    assert [field.value for field in skill_embed(T, report, Form.MODEST).fields] == [
        "**many notes** +12 ± 9%, from 90 records",
        "**fast songs** −31 ± 13%, from 80 records",
    ]
    assert "**fast songs** −14 ± 11%" in str(skill_embed(T, report, Form.TOP).fields[1].value)
    short = [str(field.value) for field in skill_embed(T, report, is_short=True).fields]
    assert not any(char.isdigit() for char in "".join(short)), "the picture has the figures"
    assert "fast songs" in short[1]
    _alt, _labels, bars = skill_plot(T, report)
    assert [bar.name for bar in bars] == ["many notes", "new songs", "fast songs"]
