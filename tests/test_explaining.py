"""`kiroku rating explain`, as it is used from a terminal."""

import json
from collections.abc import Mapping
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


@pytest.mark.parametrize("text", ["{}", "[1", json.dumps({**CASE, "day": "soon"})])
def test_a_file_of_another_shape_costs_a_sentence(text: str) -> None:
    result = CliRunner().invoke(main, ["rating", "explain", "-"], input=text)
    assert result.exit_code == 1
    assert "it needs region, day, records and catalogue" in result.stderr


def test_a_file_that_is_not_there_costs_a_sentence() -> None:
    result = CliRunner().invoke(main, ["rating", "explain", "nowhere.json"])
    assert result.exit_code == 1
    assert result.stderr == "Error: The file cannot be read: No such file or directory.\n"
