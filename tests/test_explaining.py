"""`kiroku rating explain`, as it is used from a terminal."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from bot.__main__ import main

CASE: Final[Mapping[str, object]] = {
    "region": "jp2",
    "day": "2026-01-15",
    "rating": None,
    "records": {
        "records": [
            {"id": name, "diff": "MAS", "level": 14, "title": "x", "const": 14.0, "score": score, "rating": 0}
            for name, score in (("00000000000000aa", 1_009_000), ("00000000000000ab", 1_007_500))
        ]
    },
    "catalogue": [
        {
            "meta": {"id": name, "title": "x", "genre": None, "artist": "x", "release": day, "bpm": 0},
            "data": {"MAS": {"level": 14, "const": 14.0, "maxcombo": 0, "is_const_unknown": False}},
        }
        for name, day in (("00000000000000aa", "2020-01-01"), ("00000000000000ab", "2025-12-11"))
    ],
}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(**changes: object) -> Mapping[str, Any]:
    result = CliRunner().invoke(main, ["rating", "explain", "-"], input=json.dumps({**CASE, **changes}))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_both_slots_their_sum_and_the_rating() -> None:
    said = told()
    assert (said["version"], said["formula"]) == ("X-VERSE-X", "30+20")
    assert said["best"] == [["00000000000000aa", "MAS", 16.15]]
    assert said["new"] == [["00000000000000ab", "MAS", 16.0]]
    assert (said["sum"], said["rating"]) == (32.15, 0.64)
    assert (said["explained"], said["reason"]) == (None, None)


@pytest.mark.parametrize(
    ("rating", "explained", "reason"),
    [(0.64, True, None), (0.9, False, "records_older"), (0.3, False, "version_unknown")],
)
def test_whether_the_rating_is_explained(rating: float, explained: object, reason: object) -> None:
    said = told(rating=rating)
    assert (said["explained"], said["reason"]) == (explained, reason)


@pytest.mark.parametrize("changes", [{"region": "jp"}, {"day": "2024-12-11"}])
def test_older_games_need_what_the_file_lacks(changes: Mapping[str, object]) -> None:
    said = told(rating=15.0, **changes)
    assert (said["version"], said["formula"], said["new"], said["rating"]) == (None, "30+10", [], None)
    assert len(said["best"]) == 2
    assert (said["explained"], said["reason"]) == (None, "recent_needed")


@pytest.mark.parametrize("text", ["", "[1", "[]", "null", "{", "\xff"])
def test_what_is_no_json_object_costs_a_sentence(text: str) -> None:
    assert refused(text) == "The file is no JSON object."


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"day": "soon"}, "The day is written like 2025-12-11."),
        ({"day": "20251211"}, "The day is written like 2025-12-11."),
        ({"day": 1765411200}, "The day is written like 2025-12-11."),
        ({"day": "2025-12-11T07:00"}, "The day is written like 2025-12-11."),
        ({"region": ""}, "The region is a text such as jp2."),
        ({"region": 2}, "The region is a text such as jp2."),
        ({"rating": "high"}, "The rating is a number from 0 to 100, or null."),
        ({"rating": -1}, "The rating is a number from 0 to 100, or null."),
        ({"rating": True}, "The rating is a number from 0 to 100, or null."),
        ({"rating": math.nan}, "The rating is a number from 0 to 100, or null."),
        ({"records": []}, "What stands under records is no reply of records/showall."),
        ({"records": {"error": {"code": 403}}}, "What stands under records is no reply of records/showall."),
        ({"catalogue": {}}, "What stands under catalogue is no reply of music/showall."),
        (
            {"records": {"records": [{"id": "a", "diff": "MAS", "title": "x", "score": 1}, {"id": "b"}]}},
            "Of the entries under records, 1 cannot be read.",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(changes: Mapping[str, object], said: str) -> None:
    assert refused(json.dumps({**CASE, **changes})) == said


def test_what_a_file_lacks_is_named() -> None:
    assert refused("{}") == "The file lacks region, day, records, catalogue."
    assert refused(json.dumps({key: CASE[key] for key in CASE if key != "day"})) == "The file lacks day."


def test_a_file_without_a_rating_is_none_without_records() -> None:
    without = {key: CASE[key] for key in CASE if key != "rating"}
    result = CliRunner().invoke(main, ["rating", "explain", "-"], input=json.dumps(without))
    assert json.loads(result.stdout)["explained"] is None


@pytest.mark.usefixtures("elsewhere")
def test_the_versions_of_whoever_hosts_the_bot_count(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("replace\nMine, jp2, 2025-01-01, 30+20, 2020-01-01\n")
    (tmp_path / "bad.txt").write_text("# mine\nMine, jp2, soon, 30+20, 2020-01-01\n")
    mine, bad = (
        CliRunner().invoke(
            main, ["rating", "explain", "-"], input=json.dumps(CASE), env={"GAME_VERSIONS": name}
        )
        for name in ("mine.txt", "bad.txt")
    )
    assert (json.loads(mine.stdout)["version"], len(json.loads(mine.stdout)["new"])) == ("Mine", 2)
    assert bad.exit_code == 1
    assert bad.stderr == (
        "Error: GAME_VERSIONS is not right: line 2: a day is written like 2025-12-11 (bad.txt). "
        "Mend the file, or leave GAME_VERSIONS out.\n"
    )


def test_a_file_that_is_not_there_costs_a_sentence() -> None:
    result = CliRunner().invoke(main, ["rating", "explain", "nowhere.json"])
    assert result.exit_code == 1
    assert result.stderr == "Error: The file cannot be read: No such file or directory.\n"


def refused(text: str) -> str:
    result = CliRunner().invoke(main, ["rating", "explain", "-"], input=text.encode("latin-1"))
    assert result.exit_code == 1
    assert not result.stdout
    assert result.stderr.count("\n") == 1
    return result.stderr.strip().removeprefix("Error: ")
