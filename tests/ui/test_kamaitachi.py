"""Kamaitachi's file, held against the rules of its published schema, which are written out here."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import careers
import pytest

from bot.domain.age import Age
from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, ULTIMA, WORLDS_END, Catalogue, Difficulty
from bot.domain.ids import JP2, SongId
from bot.domain.scores import Lamps, Record
from bot.features.exports import RecordExport
from bot.ui.exports import export_page
from bot.ui.kamaitachi import batch_manual
from bot.ui.language.text import Languages

T = Languages()["en"]
NOW = datetime(2026, 11, 21, tzinfo=UTC)
FAILED = Lamps(is_clear=False, is_full_combo=False, is_all_justice=False, is_full_chain=False)
UNSAID = Lamps(is_clear=None, is_full_combo=True, is_all_justice=False, is_full_chain=False)
NOTE_LAMPS = {"NONE", "FULL COMBO", "ALL JUSTICE", "ALL JUSTICE CRITICAL"}
CLEAR_LAMPS = {"FAILED", "CLEAR", "HARD", "BRAVE", "ABSOLUTE", "CATASTROPHY"}
OPTIONAL = {"artist": str, "timeAchieved": int, "comment": str}


def check(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Hold what a file says against Tachi's `PR_BATCH_MANUAL` for this game; return the scores."""
    assert content.keys() == {"meta", "scores"}
    assert content["meta"].keys() == {"game", "playtype", "service"}
    assert (content["meta"]["game"], content["meta"]["playtype"]) == ("chunithm", "Single")
    assert 3 <= len(content["meta"]["service"]) <= 60
    for score in content["scores"]:
        needed = {"score", "noteLamp", "clearLamp", "matchType", "identifier", "difficulty"}
        assert needed <= score.keys() <= needed | OPTIONAL.keys()
        assert type(score["score"]) is int
        assert 0 <= score["score"] <= 1_010_000
        assert score["noteLamp"] in NOTE_LAMPS
        assert score["clearLamp"] in CLEAR_LAMPS
        assert score["matchType"] == "songTitle"
        assert isinstance(score["identifier"], str)
        assert score["difficulty"] in {"BASIC", "ADVANCED", "EXPERT", "MASTER", "ULTIMA"}
        assert all(type(score[name]) is kind for name, kind in OPTIONAL.items() if name in score)
        assert score.get("timeAchieved", 1_000_000_000_001) > 1_000_000_000_000
    return list(content["scores"])


def scores_of(*records: Record, catalogue: Catalogue | None = None) -> list[dict[str, Any]]:
    return check(batch_manual(records, catalogue).content)


def played(score: int = 1_000_000, lamps: Lamps | None = careers.CLEAR) -> Record:
    return careers.record("song", 1400, score, lamps=lamps)


@pytest.mark.parametrize(
    ("score", "lamps", "expected"),
    [
        (900_000, FAILED, ("NONE", "FAILED")),
        (1_000_000, careers.CLEAR, ("NONE", "CLEAR")),
        (1_005_000, careers.FULL_COMBO, ("FULL COMBO", "CLEAR")),
        (1_009_999, careers.ALL_JUSTICE, ("ALL JUSTICE", "CLEAR")),
        (1_010_000, careers.ALL_JUSTICE, ("ALL JUSTICE CRITICAL", "CLEAR")),
    ],
)
def test_lamps_are_those_of_kamaitachi(score: int, lamps: Lamps, expected: tuple[str, str]) -> None:
    (told,) = scores_of(played(score, lamps))
    assert (told["noteLamp"], told["clearLamp"]) == expected


@pytest.mark.parametrize(
    ("difficulty", "name"),
    [(BASIC, "BASIC"), (ADVANCED, "ADVANCED"), (EXPERT, "EXPERT"), (MASTER, "MASTER"), (ULTIMA, "ULTIMA")],
)
def test_difficulties_are_written_out(difficulty: Difficulty, name: str) -> None:
    (told,) = scores_of(replace(played(), difficulty=difficulty))
    assert told["difficulty"] == name


def test_a_time_is_in_milliseconds_and_left_out_where_there_is_none() -> None:
    dated, undated = scores_of(replace(played(), updated_at=NOW), played())
    assert dated["timeAchieved"] == 1_795_219_200_000
    assert "timeAchieved" not in undated


def test_the_artist_is_said_of_songs_that_share_their_title() -> None:
    one = replace(played(), song_id=SongId("one"), title="Twin")
    other = replace(one, song_id=SongId("other"))
    single = replace(one, song_id=SongId("single"), title="Single")
    songs = careers.catalogue([one, other, single]).songs
    named = Catalogue.of(
        JP2,
        [
            replace(song, artist=f"by {song.id}", title=title)
            for song, title in zip(songs, ("Twin", "Twin", "Single"), strict=True)
        ],
    )
    assert [score.get("artist") for score in scores_of(one, other, single, catalogue=named)] == [
        "by one",
        "by other",
        None,
    ]
    assert [score.get("artist") for score in scores_of(one, other)] == [None, None]


def test_what_kamaitachi_does_not_take_is_left_out_and_counted() -> None:
    strange = [
        replace(played(), difficulty=WORLDS_END),
        replace(played(), difficulty=Difficulty("NEW")),
        played(lamps=None),
        played(lamps=UNSAID),
    ]
    found = batch_manual([played(), *strange, replace(played(), is_played=False)], None)
    assert len(check(found.content)) == found.count == 1
    assert found.left_out == len(strange)


async def test_the_page_says_where_the_file_goes_and_what_is_not_in_it() -> None:
    export = RecordExport(
        records=(played(), replace(played(), difficulty=WORLDS_END)), courses=(), region=JP2, age=Age(NOW)
    )
    page = await export_page(T, export, "kamaitachi")
    (document,) = page.documents
    assert document.name == "kamaitachi-jp2-2026-11-21.json"
    assert len(check(json.loads(document.content))) == 1
    assert "1 record\n" in f"{page.embed.description}\n"
    assert "1 record is not in it" in str(page.embed.description)
    nothing = await export_page(T, replace(export, records=()), "kamaitachi")
    assert not nothing.documents
    assert "No scores yet." in str(nothing.embed.description)
