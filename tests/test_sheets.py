"""tests/sheets.py: each answer stands on the sheet of its area, with what it was beside it."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image
from sheets import GAP, NARROW, WIDE, area_of, main


@pytest.mark.parametrize(
    ("name", "area"),
    [
        ("en-best-2-picture.png", "card"), ("en-best-for-phones.png", "card"), ("ja-try.png", "card"),
        ("en-plan-3.png", "plan"), ("ja-shared-plan-for-others.png", "rest"), ("en-compare.png", "compare"),
        ("en-help-2.png", "help"), ("ja-daily-preview-picture.png", "daily"), ("en-session.png", "session"),
        ("first-1-greeting.png", "first-minute"), ("en-13-linked.png", "first-minute"), ("en-song.png", "rest"),
        ("accounts/ja-best-full-best-2.png", "accounts-best"), ("accounts/en-story-empty-recap.png", "accounts-story"),
    ],
)  # fmt: skip
def test_each_answer_has_an_area(name: str, area: str) -> None:
    assert area_of(name) == area


def picture(folder: Path, name: str, size: tuple[int, int], colour: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, colour).save(folder / name)


@pytest.mark.parametrize("has_before", [False, True])
def test_what_was_stands_before_what_is(tmp_path: Path, *, has_before: bool) -> None:
    now, then, to = tmp_path / "now", tmp_path / "then", tmp_path / "sheets"
    picture(now, "en-plan.png", (1120, 900), "#00ff00")
    picture(now / "phone" / "light", "en-plan.png", (390, 844), "#0000ff")
    picture(then, "en-plan.png", (1120, 900), "#ff0000")
    picture(now, "ja-song.png", (1120, 900), "#00ff00")
    picture(now / "light" / "accounts", "ja-tiers-small-tiers.png", (1280, 900), "#00ff00")
    before = ["--before", str(then)] if has_before else []
    result = CliRunner().invoke(main, [str(now), *before, "--to", str(to)])
    assert result.exit_code == 0, result.output
    assert {file.name for file in to.iterdir()} == {"en-plan.png", "ja-rest.png", "ja-accounts-tiers.png"}
    sheet = Image.open(to / "en-plan.png")
    middle = sheet.height // 2
    columns = [WIDE, WIDE, NARROW, NARROW]
    shown = [(0, 255, 0), None, None, (0, 0, 255)]
    if has_before:
        columns, shown = [WIDE, *columns], [(255, 0, 0), *shown]
    left = GAP
    for width, colour in zip(columns, shown, strict=True):
        if colour is not None:
            assert sheet.getpixel((left + width // 2, middle)) == colour
        left += width + GAP
    assert sheet.width == left
