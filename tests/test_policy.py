"""The privacy policy names every column of every table; and what Discord's directory of apps asks for is there."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Table

from bot.config import Settings
from bot.store.belongings import tables_about_members
from bot.store.tables import METADATA

ROOT: Final = Path(__file__).parents[1]
POLICY: Final = (ROOT / "docs/privacy.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
ABOUT_YOU: Final = POLICY.partition("## What is kept about you")[2].partition("\n## ")[0]


def rows(text: str) -> dict[str, tuple[str, str, str]]:
    """Return what each table keeps, why, and how long."""
    return {name: (what, why, long) for name, what, why, long in ROW.findall(text)}


def test_every_table_is_there_and_no_other() -> None:
    assert rows(POLICY).keys() == METADATA.tables.keys()
    assert len(ROW.findall(POLICY)) == len(METADATA.tables)


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=str)
def test_every_column_is_named_with_why_and_how_long(table: Table) -> None:
    what, why, long = rows(POLICY)[table.name]
    assert set(re.findall(r"`(\w+)`", what)) == {column.name for column in table.c}
    assert why.strip()
    assert long.strip()


def test_what_is_about_members_stands_under_their_heading() -> None:
    plans = {"post_plans"}  # of servers, but for those that write to one member
    by_account = {"budgets", "kept_answers", "kept_windows"}
    about = {table.name for table in tables_about_members()} - plans | by_account
    assert rows(ABOUT_YOU).keys() == about


@pytest.mark.parametrize(
    "asked",
    [
        "Privacy policy",
        "Terms",
        "`/privacy erase`",
        "`/privacy export`",
        "not kept",
        "encrypted",
        "sold",
        "non-commercial",
        "too young",
        "as it is",
    ],
)
def test_the_policy_says_what_discord_asks_a_policy_to_say(asked: str) -> None:
    assert asked.casefold() in POLICY.casefold()


def test_hosts_are_told_what_the_directory_asks_for() -> None:
    page = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    section = page.partition("## In Discord's app directory")[2].partition("\n## ")[0]
    settings = {field.name.upper() for field in fields(Settings)}
    named = {"PRIVACY_URL", "SUPPORT_URL", "SOURCE_URL", "FEEDBACK_CHANNEL"}
    assert named <= settings
    assert named <= set(re.findall(r"`([A-Z_]+)`", section))
    for asked in ("privacy.md", "Terms of Service", "two-factor", "support server", "privileged", "/help"):
        assert asked in section, asked
