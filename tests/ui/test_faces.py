"""bot/ui/cards/faces.py: songs are known by their faces."""

import json
from collections import defaultdict
from itertools import combinations

import pytest
from contrasts import contrast
from PIL import Image, ImageChops, ImageStat
from saved import CATALOGUES, needs_catalogue

from bot.domain.members import Theme
from bot.ui.cards.canvas import ToneCanvas
from bot.ui.cards.faces import BRIGHT, DEEP, FAMILIES, MID, Face, FaceStamp, face_of, initials_of, pattern_of
from bot.ui.cards.parts import bold

APART = 10
"""Mean difference of two faces a channel, of 255: below it one looks twice."""


def drawn(face: Face, *, shines: bool = False) -> Image.Image:
    canvas = ToneCanvas(Theme.DARK, 46, 46)
    FaceStamp(face, (46, 46), bold(30), shines=shines).paint(canvas, (0, 0))
    canvas.to_png()
    return canvas._image.convert("RGB")


def apart(one: Image.Image, other: Image.Image) -> float:
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


def test_a_face_is_of_its_song_and_never_changes() -> None:
    face = face_of("6a88218b1a936bd3", "Rainy Horizon", "ORIGINAL")
    assert face == Face("lanes", 15, 0x511738, 0x8C3866, 0xB0E38D, "RH")
    assert face_of("6a88218b1a936bd4", "Rainy Horizon", "ORIGINAL") != face


def test_a_genre_has_its_family_and_an_unknown_one_that_of_the_song() -> None:
    assert {face_of(f"{number}", "", "niconico").family for number in range(50)} == {"bars"}
    assert {face_of(f"{number}", "", "a genre of tomorrow").family for number in range(200)} == set(FAMILIES)
    assert face_of("one", "", None) == face_of("one", "", "")


@pytest.mark.parametrize(
    ("title", "letters"),
    [
        ("Rainy Horizon", "RH"), ("翠", "翠"), ("ネオン街の少女", "ネ"), ("Iron", "Ir"), ("I", "I"), ("AETHER//LOOP", "AL"),
        ("-Undertow-", "Un"), ("「残響」", "残"), ("Tempest 神楽", "Te"), ("!!!", "♪"), ("", "♪"), ("Ωmega", "Ω"), ("7 days", "7D"),
    ],
)  # fmt: skip
def test_initials(title: str, letters: str) -> None:
    assert initials_of(title) == letters


def test_letters_are_seen_on_ground_and_pattern() -> None:
    # Large marks, and the title stands beside them: 3 to 1 is what WCAG 2.2 asks of such.
    for number in range(500):
        face = face_of(f"{number}", "", None)
        assert min(contrast(face.letter, under) for under in (face.ground, face.figure)) >= 3
        hue = [*DEEP, *MID].index(face.ground) % 10
        assert 3 <= (BRIGHT.index(face.letter) - hue) % 10 <= 7


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_patterns_that_differ(family: str) -> None:
    masks = {pattern_of(family, variant, 46, 46).tobytes() for variant in range(24)}
    assert len(masks) == 24
    for mask in masks:
        covered = sum(value > 60 for value in mask) / len(mask)
        assert 0.05 < covered < 0.95


def test_what_has_the_highest_score_shines() -> None:
    face = face_of("one", "Rainy Horizon", "ORIGINAL")
    assert apart(drawn(face), drawn(face, shines=True)) > 5


def test_wide_letters_are_made_to_fit() -> None:
    face = face_of("one", "Wwww Mmmm", "ORIGINAL")._replace(initials="WM")
    plain = drawn(face._replace(letter=face.ground))
    left, _top, right, _bottom = ImageChops.difference(plain, drawn(face)).getbbox() or (0, 0, 46, 46)
    assert right - left <= 0.84 * 46


@needs_catalogue
def test_two_songs_of_one_artist_never_have_faces_that_are_hard_to_tell_apart() -> None:
    songs = [song["meta"] for song in json.loads(CATALOGUES[-1].read_text(encoding="utf-8"))]
    of_artist: defaultdict[str, list[Face]] = defaultdict(list)
    for song in songs:
        of_artist[song["artist"]].append(face_of(song["id"], song["title"], song["genre"]))
    pairs = [pair for faces in of_artist.values() for pair in combinations(faces, 2)]
    assert len(pairs) > 1000
    made = {face: drawn(face) for pair in pairs for face in pair}
    assert min(apart(made[one], made[other]) for one, other in pairs) >= APART
