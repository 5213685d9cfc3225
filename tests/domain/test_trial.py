from itertools import pairwise

import pytest

from bot.domain.charts import MASTER, WORLDS_END, Catalogue, Chart, Difficulty, Song
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.trial import BEST, RECENT, invent


def catalogue(constants: dict[int, int | None], difficulty: Difficulty = MASTER) -> Catalogue:
    def song(number: int, constant: int | None) -> Song:
        chart = Chart(
            difficulty=difficulty,
            level=Hundredths(1300),
            constant=None if constant is None else Hundredths(constant),
            is_estimated=False,
            max_combo=None,
        )
        return Song(
            id=SongId(str(number)), title=f"Song {number}", genre=None, artist=None, released_on=None, bpm=None,
            charts=(chart,),
        )  # fmt: skip

    return Catalogue.of(JP2, [song(number, constant) for number, constant in constants.items()])


LARGE = catalogue({number: 1000 + 5 * number for number in range(100)})


def test_a_catalogue_has_one_player() -> None:
    assert invent(LARGE) == invent(LARGE)


def test_everything_is_as_the_game_would_have_it() -> None:
    found = invent(LARGE)
    records = [*found.best.records, *found.recent.records]
    assert (len(found.best.records), len(found.recent.records)) == (BEST, RECENT)
    for record in records:
        assert 0 <= record.score <= MAX_SCORE
        assert record.constant is not None
        assert record.rating == song_rating(record.constant, record.score, JP2)
    assert [record.rating for record in found.best.records] == sorted(
        (record.rating for record in found.best.records), reverse=True
    )
    assert found.rating == sum(record.rating for record in records) // len(records)
    best = {record.song_id: record.score for record in found.best.records}
    assert all(record.score <= best[record.song_id] for record in found.recent.records)


def test_something_has_changed_since_the_look_before() -> None:
    found = invent(LARGE)
    now = {(each.song_id, each.difficulty): each.score for each in found.best.records}
    then = {key: score for key, score in found.earlier.items() if key in now}
    assert 0 < len(then) < len(now)
    assert any(score < now[key] for key, score in then.items())
    assert all(score <= now[key] for key, score in then.items())
    assert all(before <= after for before, after in pairwise(found.ratings))
    assert found.ratings[-2] < found.ratings[-1] == found.rating


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_small_catalogue_leaves_places_empty(count: int) -> None:
    found = invent(catalogue(dict.fromkeys(range(count), 300)))
    assert len(found.best.records) == count
    assert (len(found.best.entries), len(found.recent.entries)) == (BEST, RECENT)
    assert (found.best.average is None) is (count == 0)
    assert min(found.ratings) >= 0


@pytest.mark.parametrize("songs", [catalogue({1: None}), catalogue({1: 1400}, WORLDS_END)])
def test_what_has_no_rating_is_left_out(songs: Catalogue) -> None:
    assert invent(songs).best.records == ()
