"""bot/features/shared/alias_packs.py: which lines of files of aliases do what, and how they are written."""

from dataclasses import replace
from pathlib import Path

import pytest
from careers import catalogue, record

from bot.base.config import CannotStart
from bot.domain.charts import Catalogue
from bot.domain.ids import SongId
from bot.features.shared.alias_packs import (
    AliasPack,
    Place,
    list_files,
    name_lines,
    read_pack,
    read_packs,
    write_pack,
)

SONGS = catalogue(
    [record(title, 1400, 1_000_000) for title in ("Trauma", "TRAUMA", "AETHER", "!!", "a=b", "ハロー")]
)


def pack(text: str) -> AliasPack:
    return read_pack({"names.txt": text})


@pytest.mark.parametrize(
    ("song", "meant"),
    [
        ("Trauma", "Trauma"),
        ("TRAUMA", "TRAUMA"),
        ("trauma", None),
        ("aether", "AETHER"),
        ("ﾊﾛｰ", "ハロー"),
        ("!!", "!!"),
        ("a=b", "a=b"),
        ("no such song", None),
    ],
)
def test_a_title_counts_as_it_is_written_and_else_as_people_compare_it(song: str, meant: str | None) -> None:
    """Of two that differ in case alone none is meant by a third spelling."""
    found, unfit = pack(f"The Name = {song}").resolve(SONGS)
    assert found == ({} if meant is None else {"thename": SongId(meant)})
    assert [each.song for each in unfit] == ([song] if meant is None else [])


def test_lines_that_do_nothing_are_named_by_their_number() -> None:
    read = pack("# names\n\none = AETHER\nbroken\n = AETHER\n!! = AETHER\ntwo=\nthree = nothing\n")
    assert read.unread == tuple(map(Place, (4, 5, 6, 7)))
    _found, unfit = read.resolve(SONGS)
    said = name_lines(read.unread[:1], unfit)
    assert said == 'line 4 is no "alias = title"; line 8 fits no song or several (nothing)'
    assert name_lines((), ()) == ""


def test_an_alias_that_is_commented_out_says_nothing() -> None:
    read = pack("#one = AETHER\n  # two = AETHER\nthree = AETHER\n")
    assert [line.name for line in read.lines] == ["three"]
    assert not read.unread


def test_of_two_lines_of_one_alias_the_later_counts() -> None:
    read = pack("Name = nothing\nsame = AETHER\nSAME = AETHER\nＮＡＭＥ = AETHER")
    assert read.resolve(SONGS) == ({"name": SongId("AETHER"), "same": SongId("AETHER")}, frozenset())
    assert [line.place.number for line in read.replaced] == [1]


def test_ten_lines_are_named_and_the_others_counted() -> None:
    said = name_lines(map(Place, range(1, 14)), ())
    assert "line 10 is" in said
    assert said.endswith("; and 3 more lines")


def test_of_several_files_lines_are_named_with_their_file_and_a_later_file_counts() -> None:
    read = read_pack({"a.txt": "x = Trauma\nbroken", "b.txt": "x = AETHER\ny = nothing"})
    found, unfit = read.resolve(SONGS)
    assert found == {"x": SongId("AETHER")}
    assert name_lines(read.unread, unfit) == (
        'line 2 of a.txt is no "alias = title"; line 2 of b.txt fits no song or several (nothing)'
    )


def test_a_name_that_is_another_songs_title_is_told() -> None:
    read = pack("trauma = AETHER\naether = AETHER\nown = AETHER\nhello = !!\nﾊﾛｰ = !!\n!! = AETHER")
    assert [(line.name, song.title) for line, song in read.find_hidden(SONGS)] == [
        ("trauma", "TRAUMA"),
        ("ﾊﾛｰ", "ハロー"),
    ]


def test_folders_stand_for_their_files_by_name(tmp_path: Path) -> None:
    packs = tmp_path / "packs"
    packs.mkdir()
    for name, text in (("2.txt", "x = AETHER"), ("1.txt", "x = Trauma"), ("0.md", "x = !!")):
        (packs / name).write_text(text, encoding="utf-8")
    own = tmp_path / "own"
    own.write_text("\ufeffy = AETHER", encoding="utf-8")
    assert list_files([own, packs]) == [own, packs / "1.txt", packs / "2.txt"]
    assert read_packs([own, packs]).resolve(SONGS)[0] == {"x": SongId("AETHER"), "y": SongId("AETHER")}
    assert read_packs([]).lines == ()
    with pytest.raises(CannotStart, match="cannot be read"):
        read_packs([tmp_path / "nothing.txt"])


def test_what_is_written_is_read_as_the_same() -> None:
    """Of titles that stand twice, and those of two lines, the id is written."""
    made = catalogue([record(title, 1400, 1_000_000) for title in ("One", "Two\nLines", " #3", "a=b")])
    songs = [replace(song, id=SongId(f"{number:016x}")) for number, song in enumerate(made.songs)]
    both = Catalogue.of(made.region, [*songs, replace(songs[0], id=SongId("f" * 16))])
    names = ("#first = one", "second\tname", "3", "四")
    text = write_pack(zip(names, songs, strict=True), both)
    assert text == f"first one = {songs[0].id}\nsecond name = {songs[1].id}\n3 = #3\n四 = a=b\n"
    found, unfit = pack(text).resolve(both)
    assert list(found.values()) == [song.id for song in songs]
    assert [*found] == ["firstone", "secondname", "3", "四"]
    assert not unfit
