"""`kiroku coach`, as it is used from a terminal."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

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
    for prediction in said.values():
        assert list(prediction["chance"]) == ["975000", "1000000", "1005000", "1007500", "1009000"]
        chances = list(prediction["chance"].values())
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


class SaidStep(TypedDict):
    song: str
    diff: str
    score: int
    chance: float
    gain: float


class SaidPlan(TypedDict):
    reachable: bool
    highest: float
    tries: dict[str, int]
    steps: list[SaidStep]
    rating: float


def run(folder: Path, command: str, **changes: object) -> Any:
    file = folder / "case.json"
    file.write_text(json.dumps({**CASE, **changes}))
    result = CliRunner().invoke(main, ["coach", command, str(file)])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_next_try_stands_beside_what_the_record_will_be_in_the_end(tmp_path: Path) -> None:
    said: dict[str, Any] = run(tmp_path, "expect")
    for prediction in said.values():
        assert list(prediction) == ["score", "chance", "try"]
        assert list(prediction["try"]) == ["score", "chance"]
        assert prediction["try"]["score"] <= prediction["score"]
        for least, chance in prediction["chance"].items():
            assert prediction["try"]["chance"][least] <= chance
    played = said["00000000000000aa:MAS"]
    assert played["score"] >= RECORD["score"]
    assert played["chance"]["1009000"] == 1 > played["try"]["chance"]["1009000"]


def test_earlier_looks_tell_how_first_tries_lie(tmp_path: Path) -> None:
    later = [{**RECORD, "id": song, "score": 1_009_000} for song in SONGS]
    poor = [{**RECORD, "id": song, "score": 980_000} for song in [*SONGS][1:3]]
    looks = [
        {"day": "2026-01-02", "records": [RECORD, *poor]},
        {"day": "2026-01-01", "records": [RECORD]},
    ]
    plain: dict[str, Any] = run(tmp_path, "expect", records={"records": later}, statistics={})
    told: dict[str, Any] = run(tmp_path, "expect", records={"records": later}, statistics={}, looks=looks)
    key = "00000000000000ac:ULT"
    assert told[key]["score"] == plain[key]["score"]
    assert told[key]["try"]["score"] < plain[key]["try"]["score"]


def test_the_way_to_a_target(tmp_path: Path) -> None:
    said: SaidPlan = run(tmp_path, "plan", target=15.3, day="2026-03-01")
    assert list(said) == ["reachable", "highest", "tries", "steps", "rating"]
    assert said["reachable"] is (said["highest"] >= 15.3)
    reached: SaidPlan = run(tmp_path, "plan", rating=0.32, target=0.6, day="2026-03-01")
    assert reached["reachable"]
    assert reached["rating"] >= 0.6
    assert 1 <= reached["tries"]["half"] <= reached["tries"]["nine_in_ten"]
    assert all(list(step) == ["song", "diff", "score", "chance", "gain"] for step in reached["steps"])
    gained = sum(step["gain"] for step in reached["steps"])
    assert abs(reached["rating"] - 0.32 - gained) < 0.01


def test_what_the_player_is_good_at(tmp_path: Path) -> None:
    said: list[dict[str, Any]] = run(tmp_path, "traits")
    assert [each["trait"] for each in said] == ["density", "tempo", "era"]
    assert all(list(each) == ["trait", "effect", "error", "records", "claimed"] for each in said)
    assert not any(each["claimed"] for each in said), "one record says nothing"


@pytest.mark.parametrize(
    "changes", [{}, {"target": 16}, {"target": 101, "day": "2026-03-01"}, {"target": 16, "day": "soon"}]
)
def test_a_plan_without_a_target_or_a_day_costs_a_sentence(
    changes: Mapping[str, object], tmp_path: Path
) -> None:
    file = tmp_path / "case.json"
    file.write_text(json.dumps({**CASE, **changes}))
    result = CliRunner().invoke(main, ["coach", "plan", str(file)])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "a target and a day" in result.stderr


def test_as_hard_as_which_constant_each_chart_is(tmp_path: Path) -> None:
    said: dict[str, Any] = run(tmp_path, "felt")
    assert list(said) == list(run(tmp_path, "expect"))
    assert all(list(each) == ["felt", "doubt", "sure"] for each in said.values())
    easier, harder = said["00000000000000ab:MAS"], said["00000000000000aa:MAS"]
    assert easier["felt"] < harder["felt"]
    unknown = said["00000000000000ac:MAS"]
    assert (unknown["felt"], unknown["sure"]) == (12.0, False)
    assert unknown["doubt"] > harder["doubt"] > 0


def test_of_no_statistics_every_chart_is_as_hard_as_its_constant(tmp_path: Path) -> None:
    said: dict[str, Any] = run(tmp_path, "felt", statistics={}, records={"records": []})
    assert {each["felt"] for each in said.values()} == {14.2, 14.9, 12.0}
    assert not any(each["sure"] for each in said.values())


def test_a_file_that_says_nothing_of_what_is_felt_costs_a_sentence() -> None:
    result = CliRunner().invoke(main, ["coach", "felt", "-"], input="{}")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "it needs rating, records, catalogue and statistics" in result.stderr
