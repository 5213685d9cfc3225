"""bot/domain/story.py: nothing of what looks saw is lost, and nothing is told of the time between them."""

from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from chronicles import MARKS, NOW
from hypothesis import given
from hypothesis import strategies as st
from limits import ALT_TEXT, check_embeds

from bot.domain.charts import MASTER, Chart, Song
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.story import ChartLook, story_of
from bot.features.shared.paging import LINES, part_of
from bot.features.story import StoryReport
from bot.ui.language.text import Languages
from bot.ui.story import played_text, story_alt, story_embed

CHART: ChartKey = (SongId("a"), MASTER)
LOOKS = st.lists(st.tuples(st.integers(1, 90), st.none() | MARKS), max_size=30).map(
    lambda seen: [
        ChartLook(NOW + timedelta(days=sum(days for days, _ in seen[: place + 1])), mark)
        for place, (_, mark) in enumerate(seen)
    ]
)


def look(day: int, score: int | None, constant: int = 1400, **values: int) -> ChartLook:
    mark = (
        None
        if score is None
        else RecordMark(score, int(LampFlags.TOLD), constant, **{"played_at": 0, **values})
    )
    return ChartLook(NOW + timedelta(days=day), mark)


@given(LOOKS)
def test_every_score_that_was_seen_is_a_point_and_no_other_is(looks: list[ChartLook]) -> None:
    seen = [(each.moment, each.mark.score) for each in looks if each.mark and not each.mark.is_gone]
    runs = story_of(CHART, looks).runs
    assert [point for run in runs for point in run] == seen
    assert all(len({score for _, score in run}) == 1 for run in runs)


@given(LOOKS)
def test_every_step_lies_between_two_looks_that_follow_one_another(looks: list[ChartLook]) -> None:
    story = story_of(CHART, looks)
    between = {(before.moment, after.moment) for before, after in pairwise(looks)}
    assert {(step.since, step.until) for step in story.steps} <= between
    told = {step.until for step in story.steps}
    for before, after in pairwise(story.looks):
        if (before.seen and before.seen.score) != (after.seen and after.seen.score):
            assert after.moment in told


def test_a_play_of_which_nobody_told_lies_between_two_days() -> None:
    def told(days: float) -> str:
        steps = story_of(
            CHART, [look(0, 1_000_000), ChartLook(NOW + timedelta(days=days), look(0, 1_005_000).mark)]
        ).steps
        return played_text(Languages()["en"].in_zone(ZoneInfo("UTC")), steps[-1])

    assert told(0.01) == "Nov 21, 2026"
    assert told(2) == "between Nov 21, 2026 and Nov 23, 2026"


@given(LOOKS, st.sampled_from(["en", "ja", "ko", "zh-TW"]), st.text(max_size=300))
def test_every_page_is_within_discords_limits_and_each_event_on_one(
    looks: list[ChartLook], code: str, name: str
) -> None:
    chart = Chart(
        difficulty=MASTER, level=Hundredths(1400), constant=None, is_estimated=False, max_combo=None
    )
    song = Song(id=CHART[0], title=name, genre=None, artist=None, released_on=None, bpm=None, charts=(chart,))
    story, events = story_of(CHART, looks), 0
    count = part_of(story.steps, LINES, 0).count
    for number in range(count):
        part = part_of(story.steps[::-1], LINES, number)
        report = StoryReport(
            member=MemberId(1), song=song, is_removed=True, chart=chart, story=story, part=part, versions=(), region=JP2,
            audience=Audience.ANYONE,
        )  # fmt: skip
        check_embeds([story_embed(Languages()[code], report, name, is_own=True)])
        assert len(story_alt(Languages()[code], report)) <= ALT_TEXT
        events += len(part.items)
    assert events == len(story.steps)


def test_the_first_look_is_no_step_and_a_later_first_record_is() -> None:
    assert story_of(CHART, [look(0, 1_000_000), look(1, 1_000_000)]).steps == ()
    (step,) = story_of(CHART, [look(0, None), look(9, 1_000_000)]).steps
    assert step.change.is_new
    assert (step.since, step.until) == (NOW, NOW + timedelta(days=9))


def test_no_line_joins_looks_that_saw_different_scores_or_none() -> None:
    gone = ChartLook(NOW + timedelta(days=3), None)
    story = story_of(
        CHART, [look(0, 990_000), look(1, 990_000), look(2, 1_000_000), gone, look(4, 1_000_000)]
    )
    assert [[score for _, score in run] for run in story.runs] == [[990_000] * 2, [1_000_000], [1_000_000]]
    assert [step.change.at_peak.is_achievement for step in story.steps] == [True, False, False]


def test_a_record_that_is_back_was_not_played_again() -> None:
    story = story_of(CHART, [look(0, 1_000_000), look(1, 980_000), look(2, 1_000_000)])
    assert [step.change.at_peak.is_achievement for step in story.steps] == [False, False]


def test_a_constant_that_changes_is_a_step_without_a_play() -> None:
    (step,) = story_of(CHART, [look(0, 1_000_000), look(1, 1_000_000, 1420)]).steps
    assert step.change.is_of_constant
    assert not step.change.at_peak.is_achievement
