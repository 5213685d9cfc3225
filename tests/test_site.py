"""docs/site: the documentation as a site has everything that the program has, and each of its links leads somewhere."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import render
from page import LANGUAGES, SitePage
from reference import build_bot

from bot.base.config import Settings
from bot.wire.endpoints import ENDPOINTS

LONGEST_DESCRIPTION = 160
"""Letters that search engines show."""
MAX_SITE_BYTES = 25_000_000
MAX_PICTURE_BYTES, MAX_PICTURES_BYTES = 80_000, 3_000_000
MOST_WITHOUT_PICTURE = 5
"""New commands, until `make gallery` and `make pictures` are run again, which needs a browser."""
LEAST_SHOWN = 30
"""Letters by which a picture is told to those who do not see it."""


@pytest.fixture(scope="module")
def site() -> Mapping[str, Mapping[str, SitePage]]:
    """Return the pages of each language by path."""
    return {code: {page.path: page for page in asyncio.run(render.pages_of(code))} for code in LANGUAGES}


@pytest.mark.parametrize("code", LANGUAGES)
async def test_every_command_has_its_place_with_all_its_options(
    site: Mapping[str, Mapping[str, SitePage]], code: str
) -> None:
    bot = await build_bot()
    t = bot.languages[code]
    told = "\n".join(page.body for path, page in site[code].items() if path.startswith("players/commands-"))
    without = 0
    for command in bot.tree.walk_commands():
        if not hasattr(command, "parameters"):
            continue
        name = command.qualified_name
        heading = f"## /{t.command_name(name)} {{ #{name.replace(' ', '-')} }}\n"
        assert told.count(heading) == 1, name
        section = told.partition(heading)[2].partition("\n## ")[0]
        assert t(command.description) in section
        for option in getattr(command, "parameters", ()):
            assert f"| `{t.name('option', option.display_name)}` |" in section, name
        shown = re.findall(r'<img loading="lazy" alt="([^"]+)" src="../pictures/([\w-]+)\.webp">', section)
        stem = name.replace(" ", "-")
        assert [picture for _alt, picture in shown] in ([], [stem], [stem, f"{stem}-picture"])
        without += not shown
        for alt, picture in shown:
            assert t.command_name(name) in alt
            assert len(alt) > LEAST_SHOWN
            assert (render.PICTURES / code / f"{picture}.webp").stat().st_size <= MAX_PICTURE_BYTES
    assert without <= MOST_WITHOUT_PICTURE


def test_no_picture_is_kept_that_no_page_shows(site: Mapping[str, Mapping[str, SitePage]]) -> None:
    for code, pages in site.items():
        shown = {
            name for page in pages.values() for name in re.findall(r"pictures/([\w-]+\.webp)", page.body)
        }
        assert shown | {render.WORDS_FILE} == {file.name for file in (render.PICTURES / code).iterdir()}
    sizes = [file.stat().st_size for file in render.PICTURES.rglob("*.*")]
    assert sum(sizes) <= MAX_PICTURES_BYTES


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_setting_metric_and_endpoint_is_listed(
    site: Mapping[str, Mapping[str, SitePage]], code: str
) -> None:
    pages = site[code]
    assert [
        name for name in Settings.model_fields if f"`{name.upper()}`" not in pages["hosts/settings.md"].body
    ] == []
    hosting = (render.ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`kiroku_[^|]+) \|", hosting, re.MULTILINE)
    metrics = {name for row in rows for name in re.findall(r"`(kiroku_\w+)`", row)}
    assert len(metrics) > 20
    assert [name for name in metrics if f"`{name}`" not in pages["hosts/metrics.md"].body] == []
    assert [
        each.path for each in ENDPOINTS if f"`{each.path}`" not in pages["builders/endpoints.md"].body
    ] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_says_what_it_is_in_a_sentence(
    site: Mapping[str, Mapping[str, SitePage]], code: str
) -> None:
    for page in site[code].values():
        assert page.title, page.path
        assert 20 <= len(page.description) <= LONGEST_DESCRIPTION, page.path
        assert page.description.endswith((".", "。", "か。")), page.path
    assert len({page.description for page in site[code].values()}) > len(site[code]) // 2


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_link_leads_to_a_page(site: Mapping[str, Mapping[str, SitePage]], code: str) -> None:
    pages = site[code]
    for page in pages.values():
        for target in re.findall(r"(?<!!)\[[^\]]*\]\((?!https?:|#|mailto:)([^)#\s]+)", page.body):
            assert os.path.normpath(Path(page.path).parent / target) in pages, (page.path, target)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_is_in_the_contents_once(site: Mapping[str, Mapping[str, SitePage]], code: str) -> None:
    pages = list(site[code].values())
    listed = re.findall(r"[\w./-]+\.md", str(render.navigation_of(pages, code)))
    assert sorted(listed) == sorted(page.path for page in pages)


@pytest.mark.heavy
def test_the_site_is_laid_out_and_no_link_or_picture_of_it_is_dead(tmp_path: Path) -> None:
    subprocess.run([sys.executable, render.__file__, str(tmp_path / "made")], check=True)
    root = tmp_path / "made/site"
    assert sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) <= MAX_SITE_BYTES
    dead: list[tuple[str, str]] = []
    for file in root.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        if file.name != "404.html":
            assert '<meta name="description" content="' in text, file
            targets = re.findall(r'(?:href|src)="([^"#:]+)(?:#[^"]*)?"', text)
            dead += [(file.name, target) for target in targets if not (file.parent / target).exists()]
    assert dead == []
    found = (root / "ja/search/search_index.json").read_text(encoding="utf-8")
    assert "新曲枠" in json.loads(found)["docs"].__repr__()


def test_what_is_taken_from_the_project_is_there_and_every_page_for_readers_is_taken() -> None:
    pages = {file.relative_to(render.ROOT).as_posix() for file in render.ROOT.glob("docs/*.md")}
    assert pages <= {source for taken in render.TAKEN.values() for source in taken}
