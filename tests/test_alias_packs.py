"""`kiroku aliases check`, as it is used from a terminal."""

import json
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from bot.__main__ import main

CATALOGUE: Final = [
    {
        "meta": {
            "id": f"{number:016x}",
            "title": title,
            "genre": None,
            "artist": "x",
            "release": None,
            "bpm": 0,
        },
        "data": {"MAS": {"level": 14, "const": 14.0, "maxcombo": 0, "is_const_unknown": False}},
    }
    for number, title in enumerate(("Long Road", "Short Road"))
]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("songs.json").write_text(json.dumps(CATALOGUE), encoding="utf-8")


def check(text: str | bytes, *arguments: str) -> Result:
    Path("pack.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    return CliRunner().invoke(main, ["aliases", "check", "pack.txt", *arguments])


def test_what_fits_is_counted() -> None:
    result = check("lr = Long Road\nsr = Short Road\n", "--catalogue", "songs.json")
    assert (result.exit_code, result.output) == (
        0,
        "Names that fit a song: 2. Lines that do nothing: 0.\n",
    )


def test_each_line_that_does_nothing_is_named_with_why() -> None:
    text = "broken\nx = nothing\nlr = Short Road\nlr = Long Road\nshort road = Long Road\n"
    result = check(text, "--catalogue", "songs.json")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        'line 1 is no "alias = title".',
        "line 3 is replaced: a later line gives the name lr to another song.",
        "line 2 matches no song, or several: nothing",
        "line 5 gives to Long Road the name short road, which is the title of Short Road.",
        "Names that fit a song: 2. Lines that do nothing: 4.",
    ]


def test_without_a_catalogue_the_form_alone_is_judged() -> None:
    result = check("x = nothing\n")
    assert result.exit_code == 0
    assert (
        result.output == "Names: 1. Lines that do nothing: 0; name a --catalogue to see which fit a song.\n"
    )


@pytest.mark.parametrize("text", ["", "\n\n", "# lr = Long Road\n"])
def test_of_nothing_it_is_said_that_there_is_nothing(text: str) -> None:
    result = check(text)
    assert result.exit_code == 1
    assert "there is nothing to check" in result.output


def test_a_folder_without_a_pack_is_named() -> None:
    Path("packs").mkdir()
    Path("packs/aliases.md").write_text("lr = Long Road\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["aliases", "check", "packs"])
    assert result.exit_code == 1
    assert "no file that ends in .txt in packs" in result.output


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        (b"\xff", (), "pack.txt is no text in UTF-8"),
        ("", ("--catalogue", "nowhere.json"), "nowhere.json cannot be read"),
        ("", ("--catalogue", "pack.txt"), "no reply of music/showall"),
    ],
)
def test_what_cannot_be_read_is_said(text: str | bytes, arguments: tuple[str, ...], said: str) -> None:
    result = check(text, *arguments)
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output
