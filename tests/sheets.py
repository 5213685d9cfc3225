"""Contact sheets of a gallery: one an area and language, the same answer on a desktop and a phone, dark and light, and,
where there is an older gallery, as it was.

    python tests/sheets.py GALLERY [--before GALLERY] --to FOLDER
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
from PIL import Image, ImageDraw, ImageFont

from bot.ui.kit.fonts import REGULAR

AREAS: Final[Mapping[str, str]] = {
    "card": r"best|try|rating|3-best|4-best",
    "plan": r"plan|whatif|practice|skill|goal|border|calc",
    "compare": r"compare|score|scores|leaderboard|overpower|table",
    "help": r"help|about|settings|account|privacy|export",
    "daily": r"daily|feed|setup",
    "session": r"session|history|recap",
    "first-minute": r"first|0-welcome|1-rating|1[0-9]|link|unlink",
}
"""What stands on each sheet: with what the names begin, after the language. What is in none of them is on the last."""
REST: Final = "rest"
ACCOUNTS: Final = "accounts"
"""The folder of what accounts with much, with little and with nothing are told: a sheet for each part of it."""
LANGUAGES: Final = ("en", "ja")
WIDE, NARROW = 560, 236
"""Pixels across a picture of a desktop and of a phone."""
ROOM: Final = 720
"""Pixels that a picture may be high."""
GAP: Final = 12
CAPTION: Final = 30
MOST_ROWS: Final = 12
"""On one sheet: whoever looks scrolls as far."""
GROUND, INK, QUIET = "#202225", "#f4f5f8", "#8a8f98"


class Look(NamedTuple):
    """One column of a sheet."""

    caption: str
    folder: Path
    width: int


def looks_of(gallery: Path, before: Path | None) -> list[Look]:
    """Return the columns: what was on a desktop, then what is."""
    phone = gallery / "phone"
    return [
        *([Look("before", before, WIDE)] if before else []),
        Look("now", gallery, WIDE),
        Look("light", gallery / "light", WIDE),
        Look("phone", phone, NARROW),
        Look("phone, light", phone / "light", NARROW),
    ]


def names_of(looks: Sequence[Look], language: str) -> list[str]:
    """Return all that there is a picture of in a language, in any column."""
    found = {
        file.relative_to(look.folder).as_posix()
        for look in looks
        for folder in (look.folder, look.folder / ACCOUNTS)
        for file in folder.glob(f"{language}-*.png")
    }
    if language == LANGUAGES[0]:  # the first minute is told in one language
        found |= {file.name for look in looks for file in look.folder.glob("first-*.png")}
    return sorted(found)


def area_of(name: str) -> str:
    """Return on which sheet a picture stands."""
    said = re.sub(r"^(accounts/)?(en|ja)-|\.png$", "", name)
    if name.startswith(f"{ACCOUNTS}/"):
        return f"{ACCOUNTS}-{said.partition('-')[0]}"
    return next((area for area, begins in AREAS.items() if re.match(rf"({begins})(-|$)", said)), REST)


def sheets_of(looks: Sequence[Look]) -> Iterator[tuple[str, Image.Image]]:
    """Yield each sheet with its name."""
    for language in LANGUAGES:
        names = names_of(looks, language)
        for area in dict.fromkeys((*AREAS, REST, *map(area_of, names))):
            shown = [name for name in names if area_of(name) == area]
            for first in range(0, len(shown), MOST_ROWS):
                number = f"-{first // MOST_ROWS + 1}" if len(shown) > MOST_ROWS else ""
                yield f"{language}-{area}{number}", sheet_of(looks, shown[first : first + MOST_ROWS])


def sheet_of(looks: Sequence[Look], names: Sequence[str]) -> Image.Image:
    """Return a sheet with a row a name; where a column has no picture, that is said."""
    rows = [[_opened(look, name) for look in looks] for name in names]
    heights = [max((each.height for each in row if each), default=0) for row in rows]
    width = GAP + sum(look.width + GAP for look in looks)
    sheet = Image.new("RGB", (width, CAPTION + sum(height + CAPTION + GAP for height in heights)), GROUND)
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(str(REGULAR), 18)
    top = CAPTION
    for name, row, height in zip(names, rows, heights, strict=True):
        left = GAP
        for look, picture in zip(looks, row, strict=True):
            if picture is None:
                pen.text((left, top + CAPTION), "none", fill=QUIET, font=font)
            else:
                sheet.paste(picture, (left, top + CAPTION))
            left += look.width + GAP
        pen.text((GAP, top), name.removesuffix(".png"), fill=INK, font=font)
        top += height + CAPTION + GAP
    left = GAP
    for look in looks:
        pen.text((left, 4), look.caption, fill=INK, font=font)
        left += look.width + GAP
    return sheet


def _opened(look: Look, name: str) -> Image.Image | None:
    file = look.folder / name
    if not file.exists():
        return None
    picture = Image.open(file).convert("RGB")
    picture.thumbnail((look.width, ROOM))
    return picture


_FOLDER: Final = click.Path(file_okay=False, path_type=Path)


@click.command(help=__doc__)
@click.argument("gallery", type=_FOLDER)
@click.option("--before", type=_FOLDER, help="An older gallery.")
@click.option("--to", type=_FOLDER, required=True, help="Where the sheets go.")
def main(gallery: Path, before: Path | None, to: Path) -> None:
    """Make all sheets."""
    to.mkdir(parents=True, exist_ok=True)
    for name, sheet in sheets_of(looks_of(gallery, before)):
        sheet.save(to / f"{name}.png")
        click.echo(to / f"{name}.png")


if __name__ == "__main__":
    sys.exit(main())
