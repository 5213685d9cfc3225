from dataclasses import replace
from datetime import UTC, datetime

from bot.domain.age import Age
from bot.domain.borders import Mix, borders
from bot.domain.charts import MASTER, Chart, Song
from bot.domain.errors import ServiceDown
from bot.domain.ids import JP2, SongId
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.features.borders import BorderReport
from bot.ui.borders import border_embed
from bot.ui.language.text import Languages

T = Languages()["en"]
NOW = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
CHART = Chart(
    difficulty=MASTER, level=Hundredths(1450), constant=Hundredths(1470), is_estimated=False, max_combo=1000
)
SONG = Song(
    id=SongId("song"), title="song", genre=None, artist=None, released_on=None, bpm=None, charts=(CHART,)
)
REPORT = BorderReport(
    song=SONG,
    chart=CHART,
    borders=borders(1000, JP2, Mix(attack=0.4, miss=0.4)),
    is_linked=True,
    has_mix=True,
    trouble=None,
    region=JP2,
    age=Age(NOW),
    audience=Audience.ANYONE,
)


def said(report: BorderReport) -> str:
    return str(border_embed(T, report).description).replace("\N{NO-BREAK SPACE}", " ")


def test_each_kind_alone_and_all_together() -> None:
    assert "**MASTER 14.7** · 1,000 notes" in said(REPORT)
    assert "**SSS** 1,007,500 · JUSTICE 250 / ATTACK 4 / MISS 2\n→ JUSTICE 98 + ATTACK 1 + MISS 1" in said(
        REPORT
    )
    assert "**SSS+** 1,009,000 · JUSTICE 100 / ATTACK 1\n→ JUSTICE 49 + ATTACK 1" in said(REPORT)
    assert "not one JUSTICE, which would cost 10.00" in said(REPORT)


def test_unknown_notes_are_a_sentence() -> None:
    chart = replace(CHART, max_combo=None)
    report = replace(REPORT, chart=chart, borders=(), has_mix=False)
    assert "**MASTER 14.7**\n" in said(report)
    assert "Nobody has entered the notes of this chart yet" in said(report)
    assert "JUSTICE" not in said(report)


def test_a_mix_that_is_missing_says_why() -> None:
    report = replace(REPORT, borders=borders(1000, JP2, None), has_mix=False)
    assert "takes 20 of rank S or better" in said(report)
    assert "Your own mix is missing: The record service is not answering" in said(
        replace(report, trouble=ServiceDown())
    )
    assert "mix" not in said(replace(report, is_linked=False))
    assert "this is what it said" in said(replace(report, age=Age(NOW, ServiceDown())))
