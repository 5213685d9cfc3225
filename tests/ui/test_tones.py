"""bot/ui/cards/tones.py: what pictures are painted in. After a change of colours `python tests/ui/test_tones.py` writes it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.domain.members import Theme
from bot.ui.cards import tones
from bot.ui.cards.canvas import SHADES, tone_of
from bot.ui.cards.faces import BRIGHT, DEEP, MID
from bot.ui.cards.plates import BANDS, along
from bot.ui.kit.palette import PALETTES, blend
from bot.ui.plots.bars import PALE

MOST = 160
FARTHEST = 21
"""How far the parts of a shade may be, in the mean, from those of the tone that stands for it: of 255."""


def plain_colours(theme: Theme) -> list[int]:
    """Return what is painted flat, and must be there as it is."""
    palette = PALETTES[theme]
    of_classes = [colour for colours in palette.classes.values() for colour in colours]
    found = [
        *(palette.background, palette.panel, palette.raised, palette.line, palette.tint, palette.mark),
        *(palette.text, palette.quiet, palette.gold, palette.up, palette.down, palette.new, palette.rival, palette.ink),
        palette.accent, blend(palette.background, palette.line, PALE), *of_classes, *palette.ranks.values(), *palette.difficulties.values(), 0x000000, *DEEP, *MID, *BRIGHT,
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def edges(theme: Theme) -> Iterator[tuple[int, int]]:
    """Yield each pair of ground and colour that meet."""
    palette = PALETTES[theme]
    grounds = (palette.background, palette.panel, palette.raised)
    named = (
        palette.text,
        palette.quiet,
        palette.gold,
        palette.up,
        palette.down,
        palette.new,
        palette.rival,
        palette.mark,
        palette.tint,
        palette.accent,
    )
    plates = [
        *palette.ranks.values(),
        *(colour for colours in palette.classes.values() for colour in colours),
    ]
    bands = [each for colours in palette.classes.values() for each in along(colours, BANDS)]
    yield from ((ground, colour) for ground in grounds for colour in (*named, *plates))
    yield from ((ground, colour) for ground in grounds[1:] for colour in bands)
    yield from ((plate, palette.ink) for plate in (*plates, palette.gold, palette.up, palette.new))
    yield from ((palette.tint, colour) for colours in palette.classes.values() for colour in colours)
    for hue, (deep, mid) in enumerate(zip(DEEP, MID, strict=True)):
        yield from ((deep, mid), (mid, deep))
        yield from ((ground, BRIGHT[(hue + apart) % 10]) for ground in (deep, mid) for apart in range(3, 8))


def distance(one: int, other: int) -> int:
    """Return how far apart two colours are, as `tone_of` counts it."""
    red, green, blue = (a - b for a, b in zip(one.to_bytes(3, "big"), other.to_bytes(3, "big"), strict=True))
    return 2 * red * red + 4 * green * green + 3 * blue * blue


def chosen(theme: Theme) -> list[int]:
    """Return the plain colours, and of all shades between them always the one farthest from what is there."""
    palette = PALETTES[theme]
    found = plain_colours(theme)
    found += [blend(deep, mid, 3 / 7) for deep, mid in zip(DEEP, MID, strict=True)]
    found += [blend(palette.background, palette.text, step / 11) for step in range(2, 11)]
    shades = {
        blend(ground, colour, step / (SHADES - 1))
        for ground, colour in edges(theme)
        for step in range(1, SHADES)
    }
    apart = {shade: min(distance(shade, each) for each in found) for shade in sorted(shades)}
    while len(found) < MOST:
        farthest = max(apart, key=lambda shade: apart[shade])
        found.append(farthest)
        apart = {shade: min(far, distance(shade, farthest)) for shade, far in apart.items()}
    return found


@pytest.mark.parametrize("theme", list(Theme))
def test_they_are_those_that_the_colours_ask_for(theme: Theme) -> None:
    assert tones.TONES[theme] == tuple(chosen(theme))
    assert len(set(tones.TONES[theme])) == MOST


@pytest.mark.parametrize("theme", list(Theme))
def test_every_flat_colour_is_painted_as_it_is(theme: Theme) -> None:
    assert [tones.TONES[theme][tone_of(theme, each)] for each in plain_colours(theme)] == plain_colours(theme)


@pytest.mark.parametrize("theme", list(Theme))
def test_every_shade_has_a_tone_near_it(theme: Theme) -> None:
    for ground, colour in set(edges(theme)):
        for step in range(SHADES):
            shade = blend(ground, colour, step / (SHADES - 1))
            assert distance(shade, tones.TONES[theme][tone_of(theme, shade)]) ** 0.5 / 3 <= FARTHEST


def written() -> str:
    """Return the module with the tones that are chosen now."""
    start, end = "_WRITTEN: Final = {\n", "}\nTONES"
    head, rest = Path(tones.__file__).read_text(encoding="utf-8").split(start)
    made = ""
    for theme in Theme:
        codes = [f"{colour:06x}" for colour in chosen(theme)]
        rows = [f'        "{" ".join(codes[first : first + 14])} "' for first in range(0, MOST, 14)]
        made += "\n".join([f"    Theme.{theme.name}: (", *rows, "    ),", ""])
    return head + start + made + end + rest.split(end)[1]


if __name__ == "__main__":
    sys.stdout.write(written())
