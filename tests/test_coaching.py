"""`kiroku coach`, as it is used from a terminal."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

import pytest
from click.testing import CliRunner

from bot.__main__ import main

SONGS = {"00000000000000aa": 14.2, "00000000000000ab": 14.2, "00000000000000ac": 12.0, "00000000000000ad": 0}
CATALOGUE = [
    {
        "meta": {"id": song, "title": song, "genre": None, "artist": "x", "release": None, "bpm": 0},
        "data": {
            "MAS": {"level": 14, "const": constant, "maxcombo": 0, "is_const_unknown": 1},
            "ULT": {"level": 14.5, "const": constant and 14.9, "maxcombo": 2400, "is_const_unknown": False},
        },
    }
    for song, constant in SONGS.items()
]
RECORD = {
    "id": "00000000000000aa",
    "diff": "MAS",
    "level": 14,
    "title": "x",
    "const": 14.2,
    "score": 1_009_500,
    "rating": 16.35,
    "is_const_unknown": False,
    "updated_at": "1970-01-01T09:00:00+0900",
}
CASE: Mapping[str, object] = {
    "rating": 15.23,
    "records": {"records": [RECORD]},
    "catalogue": CATALOGUE,
    "statistics": {
        "00000000000000aa:m": {
            "users_count": 900,
            "count": {"rank": {}, "lamp": {}},
            "avg": {"15.10": 990_000.5, "15.20": None, "15.30": 991_000},
        },
        "00000000000000ab:m": {
            "users_count": 900,
            "count": {"rank": {}, "lamp": {}},
            "avg": {"15.10": 1_004_000, "15.20": 1_004_500, "15.30": 1_005_000},
        },
        "00000000000000ac:m": "odd",
        "gone:q": {"users_count": 1, "count": {"rank": {}, "lamp": {}}, "avg": {}},
    },
}


class Said(TypedDict):
    score: int
    chance: dict[str, float]


def expect(folder: Path, **changes: object) -> dict[str, Said]:
    file = folder / "case.json"
    file.write_text(json.dumps({**CASE, **changes}))
    result = CliRunner().invoke(main, ["coach", "expect", str(file)])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_each_chart_with_a_known_constant_has_a_score_and_chances(tmp_path: Path) -> None:
    said = expect(tmp_path)
    assert list(said) == [
        f"{song}:{code}" for song, constant in SONGS.items() if constant for code in ("MAS", "ULT")
    ]
    for outlook in said.values():
        assert list(outlook["chance"]) == ["975000", "1000000", "1005000", "1007500", "1009000"]
        chances = list(outlook["chance"].values())
        assert chances == sorted(chances, reverse=True)
    assert said["00000000000000ac:MAS"]["score"] > said["00000000000000ab:MAS"]["score"]


def test_what_all_score_and_what_one_has_scored_both_count(tmp_path: Path) -> None:
    easier, harder = "00000000000000ab:MAS", "00000000000000aa:MAS"
    of_all = expect(tmp_path, records={"records": []})
    assert of_all[easier]["score"] > of_all[harder]["score"]
    own = expect(tmp_path)
    assert own[harder]["score"] > of_all[harder]["score"]
    assert own[easier]["score"] > of_all[easier]["score"]
    alone = expect(tmp_path, statistics={})
    assert alone["00000000000000ab:MAS"]["score"] != own[easier]["score"]


@pytest.mark.parametrize("text", ["{}", "[1", '{"rating": -1, "records": {"records": []}, "catalogue": []}'])
def test_a_file_of_another_shape_costs_a_sentence(text: str) -> None:
    result = CliRunner().invoke(main, ["coach", "expect", "-"], input=text)
    assert result.exit_code == 1
    assert "it needs rating, records, catalogue and statistics" in result.stderr


@pytest.mark.parametrize("rating", [-0.01, 100.01])
def test_a_rating_that_no_game_has_costs_a_sentence(rating: float) -> None:
    case = json.dumps({**CASE, "rating": rating})
    result = CliRunner().invoke(main, ["coach", "expect", "-"], input=case)
    assert result.exit_code == 1
    assert "rating: Input should be" in result.stderr


@pytest.mark.parametrize("rating", [0, 100])
def test_the_least_and_the_highest_rating_are_taken(rating: float, tmp_path: Path) -> None:
    assert expect(tmp_path, rating=rating)


def test_a_file_that_is_not_there_costs_a_sentence() -> None:
    result = CliRunner().invoke(main, ["coach", "expect", "nowhere.json"])
    assert result.exit_code == 1
    assert result.stderr == "Error: The file cannot be read: No such file or directory.\n"
