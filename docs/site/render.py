"""Makes the documentation as a site, one for each language, for mkdocs to lay out.

    python docs/site/render.py FOLDER

What the project already says in a file, such as docs/hosting.md, is taken from there; what the program knows by itself,
such as commands, settings and endpoints, is asked of the program; the rest is written in `pages`.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from page import LANGUAGES, WORDS_FILE, SitePage
from reference import PICTURE_FOLDER, build_bot, command_pages, endpoint_page, metric_page, setting_page

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = Path(__file__).with_name("pages")
PICTURES: Final = Path(__file__).with_name(PICTURE_FOLDER)
SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "players": {"en": "For players", "ja": "プレイヤーの方へ"},
    "hosts": {"en": "For hosts", "ja": "運用する方へ"},
    "builders": {"en": "For builders", "ja": "開発する方へ"},
    "changes": {"en": "Changes", "ja": "変更履歴"},
}
"""The parts of the site in their order, by folder."""
DECISIONS: Final = "docs/decisions"
TAKEN: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "docs/filters.md": "players/filters.md",
        "docs/privacy.md": "players/privacy.md",
        "docs/privacy.ko.md": "players/privacy.ko.md",
        "docs/privacy.zh-TW.md": "players/privacy.zh-TW.md",
        "docs/hosting.md": "hosts/hosting.md",
        "docs/upgrading.md": "hosts/upgrading.md",
        "docs/version-day.md": "hosts/version-day.md",
        "docs/scaling.md": "hosts/scaling.md",
        "SECURITY.md": "hosts/security.md",
        "docs/api-layer.md": "builders/api-layer.md",
        "docs/mcp.md": "builders/mcp.md",
        "docs/service.md": "builders/service.md",
        "CONTRIBUTING.md": "builders/contributing.md",
        "CHANGELOG.md": "changes/index.md",
    },
    "ja": {"docs/privacy.ja.md": "players/privacy.md"},
}
"""Files of the project, and where each stands in the site of a language; decisions follow by room."""
DESCRIPTIONS: Final[Mapping[str, str]] = {
    "docs/filters.md": "One small language that narrows every list of charts and scores, in English and in Japanese.",
    "docs/privacy.md": "What Kiroku keeps about you, why and for how long, and how to erase it.",
    "docs/privacy.ko.md": "Kiroku가 보관하는 데이터와 그 이유, 기간, 삭제 방법입니다.",
    "docs/privacy.zh-TW.md": "Kiroku 保存哪些資料、理由、期間，以及如何刪除。",
    "docs/privacy.ja.md": "Kiroku が保存するデータとその理由、保存期間、削除の方法です。",
    "docs/hosting.md": "How to run the bot: permissions, systemd, containers, copies, keys, PostgreSQL, metrics.",
    "docs/upgrading.md": "What to do when upgrading from one version to the next, and how to go back.",
    "docs/version-day.md": "What a host does on the day when the game turns to a new version.",
    "docs/scaling.md": "How many servers and members one process serves, as measured.",
    "SECURITY.md": "Who could want what of the bot, and what holds them off.",
    "docs/api-layer.md": "The asynchronous client of the record service, by itself, with recipes.",
    "docs/mcp.md": "How assistants read a player's records through the Model Context Protocol.",
    "docs/service.md": "The record service: to run, to test against, and to hold others against it.",
    "CONTRIBUTING.md": "How the code is laid out and why: rooms, words, style, and how to add a command.",
    "CHANGELOG.md": "What changed, for players, for hosts and for builders.",
}
_QUIET: Final = {"NO_MKDOCS_2_WARNING": "1"}
"""The theme else tells of its successor at each build."""
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")


def written_pages(language: str) -> Iterator[SitePage]:
    """Yield the pages that are written for the site alone: a heading, a sentence that describes them, and the rest."""
    for file in sorted((PAGES / language).rglob("*.md")):
        heading, description, body = file.read_text(encoding="utf-8").split("\n\n", 2)
        path = file.relative_to(PAGES / language).as_posix()
        yield SitePage(path=path, title=heading.removeprefix("# "), description=description, body=body)


def taken_files(language: str) -> Mapping[str, str]:
    """Return which files of the project stand where in the site of a language."""
    taken = {source: path for source, path in TAKEN[language].items() if (ROOT / source).exists()}
    if language == "en":
        for file in sorted((ROOT / DECISIONS).glob("*.md")):
            name = "index" if file.stem == "README" else file.stem
            taken[f"{DECISIONS}/{file.name}"] = f"builders/decisions/{name}.md"
    return taken


def taken_pages(language: str) -> Iterator[SitePage]:
    """Yield the pages that the project has anyway, their links leading to where they stand in the site."""
    taken = taken_files(language)
    for source, path in taken.items():
        heading, _, body = (ROOT / source).read_text(encoding="utf-8").partition("\n")
        title = heading.removeprefix("# ")
        yield SitePage(
            path=path,
            title=title,
            description=DESCRIPTIONS.get(source, f"What was decided about it, and why: {title}."),
            body=_with_links(body, source, path, taken),
        )


def _with_links(body: str, source: str, path: str, taken: Mapping[str, str]) -> str:
    """Return a text whose links lead to pages of the site; what is no page of it is named and not linked."""

    def lead(found: re.Match[str]) -> str:
        wanted = os.path.normpath(Path(source).parent / found[3])
        if found[1] or wanted not in taken:
            return "" if found[1] else found[2]
        return f"[{found[2]}]({os.path.relpath(taken[wanted], Path(path).parent)}{found[4] or ''})"

    return _LINK.sub(lead, body)


async def pages_of(language: str) -> list[SitePage]:
    """Return every page of the site in a language."""
    shown = json.loads((PICTURES / language / WORDS_FILE).read_text(encoding="utf-8"))
    return [
        *written_pages(language),
        *command_pages(await build_bot(), language, shown),
        setting_page(ROOT / ".env.example", language),
        metric_page(ROOT / "docs/hosting.md", language),
        endpoint_page(language),
        *taken_pages(language),
    ]


def navigation_of(pages: Sequence[SitePage], language: str) -> list[dict[str, Any]]:
    """Return the contents: the pages of each section in the order in which they were made, its index first."""
    home = next(page for page in pages if page.path == "index.md")
    contents: list[dict[str, Any]] = [{home.title: home.path}]
    for folder, names in SECTIONS.items():
        found = [page for page in pages if page.path.startswith(f"{folder}/")]
        rooms = [page for page in found if "/decisions/" in page.path]
        first = sorted(
            (page for page in found if page not in rooms), key=lambda page: not page.path.endswith("index.md")
        )
        entries: list[dict[str, Any]] = [{page.title: page.path} for page in first]
        if rooms:
            rooms.sort(key=lambda page: not page.path.endswith("index.md"))
            entries.append({rooms[0].title: [{page.title: page.path} for page in rooms]})
        contents.append({names[language]: entries})
    return contents


def configuration_of(pages: Sequence[SitePage], language: str) -> dict[str, Any]:
    """Return what mkdocs is told; everything that a page needs lies beside it, and nothing is asked of anybody."""
    schemes = [("default", "material/weather-night"), ("slate", "material/weather-sunny")]
    preferred = {"default": "(prefers-color-scheme: light)", "slate": "(prefers-color-scheme: dark)"}
    return {
        "site_name": "Kiroku",
        "site_description": next(page.description for page in pages if page.path == "index.md"),
        # Search engines need the address at which the site stands; without one, no map of it is made.
        "site_url": f"{address.rstrip('/')}/{language}/"
        if (address := os.environ.get("SITE_URL", ""))
        else "",
        "docs_dir": f"pages/{language}",
        "site_dir": f"site/{language}",
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "language": language,
            "font": False,
            "features": ["navigation.sections", "navigation.top", "search.highlight", "content.code.copy"],
            "palette": [
                {
                    "media": preferred[scheme],
                    "scheme": scheme,
                    "primary": "deep purple",
                    "accent": "amber",
                    "toggle": {"icon": icon, "name": LANGUAGES[language]},
                }
                for scheme, icon in schemes
            ],
        },
        "plugins": [{"search": {"lang": list(LANGUAGES)}}, "offline"],
        "markdown_extensions": ["tables", "attr_list", "admonition", {"toc": {"permalink": True}}],
        "extra": {
            "generator": False,
            "alternate": [
                {"name": name, "link": f"../{code}/index.html", "lang": code}
                for code, name in LANGUAGES.items()
            ],
        },
        "nav": navigation_of(pages, language),
        "validation": {"links": {"anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
    }


async def write(folder: Path) -> None:
    """Write the pages of every language and what mkdocs is told of them."""
    shutil.rmtree(folder, ignore_errors=True)
    for language in LANGUAGES:
        pages = await pages_of(language)
        below = folder / "pages" / language
        for page in pages:
            file = below / page.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page.text, encoding="utf-8")
        shutil.copytree(
            PICTURES / language, below / PICTURE_FOLDER, ignore=shutil.ignore_patterns(WORDS_FILE)
        )
        text = yaml.safe_dump(configuration_of(pages, language), allow_unicode=True, sort_keys=False)
        (folder / f"mkdocs-{language}.yml").write_text(text, encoding="utf-8")


def main() -> None:
    """Make the site below the folder that is named."""
    folder = Path(sys.argv[1])
    asyncio.run(write(folder))
    for language in LANGUAGES:
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file"]
        subprocess.run([*command, f"mkdocs-{language}.yml"], cwd=folder, check=True, env=os.environ | _QUIET)
    shutil.copyfile(PAGES.with_name("index.html"), folder / "site/index.html")


if __name__ == "__main__":
    main()
