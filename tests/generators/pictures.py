"""Make the site's pictures, a drawn one and the answer of each command, small enough for a phone, from the gallery.

    python tests/generators/pictures.py GALLERY FOLDER

Beside them stands `words.json`: what each shows, for those who do not see it.
"""

import asyncio
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from chat import ANSWERS
from page import LANGUAGES, WORDS_FILE
from PIL import Image, ImageChops
from reference import build_bot, stems_of

MAX_BYTES: Final = 25_000
MAX_WIDTH: Final = 760
QUALITIES: Final = (60, 50, 40, 30)
MARGIN: Final = 16
MAX_LETTERS: Final = 240
"""Of what a picture is said to show."""


def made_from(gallery: Path, language: str, commands: list[str]) -> Iterator[tuple[str, Image.Image, str]]:
    """Yield each picture of a command that there is, by its name, with what it shows."""
    for answer, drawn in map(stems_of, commands):
        for name, folder in ((answer, gallery / ANSWERS), (drawn, gallery)):
            file = folder / f"{language}-{name}.png"
            if file.exists():
                words = gallery / ANSWERS / f"{language}-{name}.txt"
                picture = Image.open(file).convert("RGB")
                yield (
                    name,
                    picture if name == drawn else without_empty_side(picture),
                    in_short(words.read_text("utf-8")),
                )


def without_empty_side(picture: Image.Image) -> Image.Image:
    """Return the left of a picture, up to where nothing is any more."""
    ground = Image.new("RGB", picture.size, picture.getpixel((picture.width - 1, 0)))
    place = ImageChops.difference(picture, ground).getbbox()
    return picture.crop((0, 0, min(place[2] + MARGIN, picture.width), picture.height)) if place else picture


def in_short(words: str) -> str:
    """Return the beginning of a text in one line."""
    said = " · ".join(line.strip() for line in words.splitlines() if line.strip())
    return said if len(said) <= MAX_LETTERS else f"{said[: MAX_LETTERS - 1].rstrip()}…"


def save(picture: Image.Image, file: Path) -> None:
    """Write a picture as well as may be in so few bytes."""
    picture.thumbnail((MAX_WIDTH, picture.height))
    for quality in QUALITIES:
        picture.save(file, quality=quality, method=6)
        if file.stat().st_size <= MAX_BYTES:
            return


def main() -> None:
    """Make all of them anew."""
    gallery, into = map(Path, sys.argv[1:])
    bot = asyncio.run(build_bot())
    commands = sorted(each.qualified_name for each in bot.tree.walk_commands())
    shutil.rmtree(into, ignore_errors=True)
    for language in LANGUAGES:
        folder, shown = into / language, dict[str, str]()
        folder.mkdir(parents=True)
        for name, picture, shown[name] in made_from(gallery, language, commands):
            save(picture, folder / f"{name}.webp")
        text = json.dumps(shown, ensure_ascii=False, indent=1, sort_keys=True)
        (folder / WORDS_FILE).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
