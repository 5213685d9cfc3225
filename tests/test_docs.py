"""What the pages say can be followed."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from discord import Permissions

from bot.base.config import _SECRETS, Settings
from bot.chat.subjects import _POSTING

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
    if "docs/site/" not in page.as_posix()  # whose links tests/test_site.py follows
]
DECISIONS = [
    page for page in PAGES if page.parent.name == "decisions" and page.stem not in ("README", "dependencies")
]
GUIDES = [page for page in PAGES if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
MAX_WORDS_OF_DECISIONS = 12_000
MAX_LETTERS_OF_A_DECISION = 360
"""A claim in one line and its reason in two, without the tests."""
MAX_WORDS_OF_OUR_OWN = 30
RELEASE_GROUPS = ["For players", "For hosts", "For builders"]
MAX_LINES_OF_A_RELEASE = 12
UNRELEASED = "Unreleased"
CHANGELOG_GROUPS = ["For players", "For hosts", "When upgrading"]
NOT_OURS = {"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "KIROKU_COMMIT", "KIROKU_EXAMPLES", "MALLOC_ARENA_MAX"}
"""What pages name as settings are named, and others read."""
HELD = re.compile(r"\*(Held by .+|Not held by a test.*)\.\*$")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_opens_with_the_demo_and_the_tests() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^make \w+", readme, re.MULTILINE)
    assert commands[:2] == ["make demo", "make test"]


def test_whoever_is_invited_by_the_address_may_do_what_it_must() -> None:
    page = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    (number,) = re.findall(r"&permissions=(\d+)`", page)
    allowed = Permissions(int(number))
    assert [name for name in _POSTING if not getattr(allowed, name)] == []
    said = page.lower().replace("view channels", "read messages").replace(" ", "_")
    assert [name for name, given in allowed if given and name not in said] == []


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_every_setting_that_a_page_names_is_one(page: Path) -> None:
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)(?==|`)", page.read_text(encoding="utf-8")))
    settings = {name.upper() for name in Settings.model_fields}
    assert named - settings - {f"{name.upper()}_FILE" for name in _SECRETS} - NOT_OURS == set()


def test_hosts_are_told_every_secret_that_may_stand_in_a_file() -> None:
    for page in ("docs/hosting.md", ".env.example"):
        text = (ROOT / page).read_text(encoding="utf-8")
        (sentence,) = re.findall(
            r"(?:^|\. )((?:[`\w]+, )+[`\w]+ and [`\w]+) name files", text.replace("\n# ", " "), re.MULTILINE
        )
        assert re.findall(r"\w+", sentence.replace(" and ", " ")) == [
            f"{name.upper()}_FILE" for name in _SECRETS
        ]


def test_hosts_are_told_how_many_copies_the_timer_and_compose_leave() -> None:
    unit, compose = (
        (ROOT / "ops" / name).read_text(encoding="utf-8") for name in ("kiroku-backup.service", "compose.yml")
    )
    left = re.findall(r"--keep (\d+)", unit) + re.findall(r"KEEP:-(\d+)", compose)
    told = re.findall(r"of which the last (\d+) stay", (ROOT / "docs/hosting.md").read_text(encoding="utf-8"))
    assert left == told, "the unit's, then Compose's"


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.name)
def test_every_decision_is_a_claim_and_names_what_holds_it_or_that_nothing_does(page: Path) -> None:
    heading, blank, *decisions = page.read_text(encoding="utf-8").splitlines()
    assert heading.startswith("# ")
    assert blank == ""
    assert decisions
    assert [line for line in decisions if not line.startswith("- **") or not HELD.search(line)] == []
    texts = [HELD.sub("", line) for line in decisions]
    assert [text for text in texts if len(text) > MAX_LETTERS_OF_A_DECISION] == []


def test_decisions_stay_short_enough_to_be_read() -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in (ROOT / "docs/decisions").glob("*.md")}
    assert sum(len(text.split()) for text in pages.values()) <= MAX_WORDS_OF_DECISIONS
    listed = re.findall(r"^- \[.+\]\((.+)\)$", pages[ROOT / "docs/decisions/README.md"], re.MULTILINE)
    assert sorted(listed) == sorted(page.name for page in pages if page.name != "README.md")


def test_every_threat_names_what_holds_it_or_that_nothing_does() -> None:
    lines = (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    claims = [line for line in lines if line.startswith("- ")]
    assert len(claims) > 30
    assert [line for line in claims if not HELD.search(line)] == []


def test_the_changelog_says_for_whom_each_line_is() -> None:
    for heading, groups in sections_of_the_changelog().items():
        found = [group.partition("\n")[0] for group in groups]
        named = RELEASE_GROUPS if re.fullmatch(r"[\d.]+", heading) else CHANGELOG_GROUPS
        if heading == UNRELEASED:  # has the groups that it concerns
            named = [each for each in (*RELEASE_GROUPS, CHANGELOG_GROUPS[-1]) if each in found]
        assert found == named
        assert all("\n- " in group for group in groups)


def test_the_version_has_its_section_and_each_is_short_enough_to_be_read() -> None:
    sections = sections_of_the_changelog()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] in sections
    for heading, groups in sections.items():
        if re.fullmatch(r"[\d.]+", heading):
            assert [group for group in groups if group.count("\n- ") > MAX_LINES_OF_A_RELEASE] == []


def sections_of_the_changelog() -> dict[str, list[str]]:
    """Return the groups of each version, or of what was written line by line."""
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    split = [version.split("\n### ") for version in page.split("\n## ")[1:]]
    assert [heading for heading, *_ in split if "\n- " in heading] == []
    return {heading.partition("\n")[0]: groups for heading, *groups in split}


def test_no_decision_is_said_twice() -> None:
    claims = re.findall(
        r"^- \*\*(.+?)\*\*", "\n".join(page.read_text(encoding="utf-8") for page in DECISIONS), re.MULTILINE
    )
    assert [claim for claim, times in Counter(claims).items() if times > 1] == []


def test_what_holds_a_decision_or_a_threat_is_there() -> None:
    decisions = "\n".join(page.read_text(encoding="utf-8") for page in DECISIONS)
    threats = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named: set[str] = set(re.findall(r"`(tests/[^`]+)`", decisions + threats))
    files = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("tests/benchmarks/bench_*.py")]
    assert named - {test for file in files for test in _tests_in(file)} == set()
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert set(re.findall(r'contract "([^"]+)"', decisions)) <= {contract["name"] for contract in contracts}


def _tests_in(file: Path) -> list[str]:
    """Return a file and its tests, as pytest names them."""
    name = file.relative_to(ROOT).as_posix()
    found, group = [name], name
    for line in file.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"(    )?(class|def|async def) (\w+)", line):
            indent, kind, each = match.groups()
            group = f"{name}::{each}" if kind == "class" else group if indent else name
            found.append(f"{group}::{each}" if kind != "class" else group)
    return found


def test_a_test_file_bears_the_name_of_what_it_holds_or_says_it() -> None:
    assert [name for file in ROOT.glob("tests/**/test_*.py") if (name := _nameless(file))] == []


def test_a_cog_bears_the_name_of_what_shows_its_answers() -> None:
    cogs, shown = ({file.stem for file in (ROOT / folder).glob("*.py")} for folder in ("cogs", "bot/ui"))
    others = {"mention", "servers", "worldsend"}  # a song, nothing at all, and scores
    assert cogs - shown - others == set()


def test_every_word_that_is_explained_is_used() -> None:
    (words,) = re.findall(
        r"^## Words$(.*?)^## ",
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    named = re.findall(r"^- `([A-Z]\w+)`: ", words, re.MULTILINE)
    assert len(named) == len(set(named)) == words.count("\n- ")
    assert len(named) <= MAX_WORDS_OF_OUR_OWN
    code = "\n".join(file.read_text(encoding="utf-8") for file in ROOT.glob("bot/**/*.py"))
    assert set(named) - set(re.findall(r"^class (\w+)", code, re.MULTILINE)) == set()


def test_every_room_stands_in_the_layout() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    layout = page.partition("```\nbot/\n")[2].partition("\n```")[0]
    rooms = set(re.findall(r"^  (\w+)/", layout, re.MULTILINE))
    assert rooms == {package.parent.name for package in ROOT.glob("bot/*/__init__.py")}


def _nameless(file: Path) -> str | None:
    """Return a test file that has neither a docstring nor the place and name of a module."""
    place = file.relative_to(ROOT / "tests").with_name(file.stem.removeprefix("test_"))
    modules = [ROOT / "bot" / place, ROOT / place]
    has_module = any(module.with_suffix(".py").exists() or module.is_dir() for module in modules)
    return None if has_module or ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) else file.name
