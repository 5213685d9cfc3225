"""The privacy policy names every column of every table, and all pages say alike how long things are kept.

What Discord's directory of apps asks for is there.
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Table

from bot.api import answer_store
from bot.base.config import Settings
from bot.cluster import budget_leases
from bot.database.tables import METADATA
from bot.domain.chronicle.retention import Retention
from bot.domain.posts import LATEST
from bot.features import servers
from bot.store import backup, hosting, kept_windows, posts, questions, snapshots, suggestions
from bot.store.belongings import tables_about_members

ROOT: Final = Path(__file__).parents[1]
POLICIES: Final = {
    language: (ROOT / f"docs/privacy{language}.md").read_text(encoding="utf-8")
    for language in ("", ".ja", ".ko", ".zh-TW")
}
"""By what stands in the name of the file."""
ABOUT_YOU: Final = {
    "": "What is kept about you",
    ".ja": "あなたについて保存するもの",
    ".ko": "이용자에 대해 보관하는 것",
    ".zh-TW": "保存哪些與您有關的資料",
}
ROW: Final = re.compile(r"^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
ASKED: Final = {
    "": (
        "Privacy policy", "Terms", "`/privacy erase`", "`/privacy export`", "not kept", "encrypted", "sold",
        "non-commercial", "too young", "as it is",
    ),
    ".ja": (
        "プライバシーポリシー", "利用規約", "`/privacy erase`", "`/privacy export`", "保存しません", "暗号化", "販売",
        "非営利", "年齢", "現状のまま",
    ),
    ".ko": (
        "개인정보 처리방침", "이용약관", "`/privacy erase`", "`/privacy export`", "보관하지 않", "암호화", "판매",
        "비상업적", "나이", "있는 그대로",
    ),
    ".zh-TW": (
        "隱私權政策", "使用條款", "`/privacy erase`", "`/privacy export`", "不會保存", "加密", "販售", "非商業", "年齡",
        "現狀",
    ),
}  # fmt: skip
"""What Discord asks a policy to say."""
HISTORY: Final = Retention(*Settings().history_days)
KEPT_FOR: Final[Mapping[str, tuple[timedelta, ...]]] = {
    "snapshots": (timedelta(days=HISTORY.all_days), timedelta(days=HISTORY.days)),
    "earlier_looks": (snapshots._LOOKS_FOR,),
    "kept_answers": (answer_store.KEPT_FOR,),
    "kept_windows": (kept_windows._KEPT_FOR,),
    "budgets": (timedelta(seconds=budget_leases._KEPT_SECONDS),),
    "tellings": (LATEST,),
    "alias_suggestions": (suggestions._KEPT_FOR,),
    "posts": (posts._KNOWN_FOR,),
    "greetings": (servers._QUIET_TIME,),
    "questions": (questions._KEPT_FOR,),
    "wanted_aliases": (hosting._WANTED_FOR,),
}
"""How long what each table has is kept, by the code; of the other tables no time is told, but what ends them."""
TOLD_ELSEWHERE: Final = (
    ("decisions/answers.md", r"under a digest of their text\*\*, for ([\d,]+) days", questions._KEPT_FOR),
    ("decisions/database.md", r"the copy goes after ([\d,]+) days", backup.KEPT_AFTER_UPGRADE),
    ("decisions/memory.md", r"look that found something is kept for ([\d,]+) days", snapshots._LOOKS_FOR),
    (
        "decisions/memory.md",
        r"thinned once a day: weekly after ([\d,]+) days",
        timedelta(days=HISTORY.all_days),
    ),
    ("decisions/memory.md", r"weekly after [\d,]+ days, none after ([\d,]+)", timedelta(days=HISTORY.days)),
    ("decisions/songs.md", r"A suggested alias .+, for ([\d,]+) days, also in", suggestions._KEPT_FOR),
    ("decisions/songs.md", r"A name is counted .+, for ([\d,]+) days, a thousand", hosting._WANTED_FOR),
    ("upgrading.md", r"That copy is deleted after ([\d,]+) days", backup.KEPT_AFTER_UPGRADE),
)
"""Where else in docs/ days are told, and by the code how many they are."""
UNITS: Final = {
    "": r"([\d,]+) (day|hour)s?",
    ".ja": r"([\d,]+)(日間|時間)",
    ".ko": r"([\d,]+)(일|시간)",
    ".zh-TW": r"([\d,]+) (天|小時)",
}
DAYS: Final = {"day", "日間", "일", "天"}


def rows(text: str) -> dict[str, tuple[str, str, str]]:
    """Return what each table keeps, why, and how long."""
    return {name: (what, why, long) for name, what, why, long in ROW.findall(text)}


def test_each_language_has_a_policy_that_leads_to_the_others() -> None:
    assert {file.name for file in (ROOT / "docs").glob("privacy*.md")} == {
        f"privacy{language}.md" for language in POLICIES
    }
    for language, text in POLICIES.items():
        assert all(f"(privacy{other}.md)" in text for other in POLICIES if other != language)
        assert text.count("\n## ") == POLICIES[""].count("\n## ")
        assert text.count("\n- ") == POLICIES[""].count("\n- ")


@pytest.mark.parametrize("language", POLICIES)
def test_every_table_is_there_and_no_other(language: str) -> None:
    assert rows(POLICIES[language]).keys() == METADATA.tables.keys()
    assert len(ROW.findall(POLICIES[language])) == len(METADATA.tables)


@pytest.mark.parametrize("language", POLICIES)
@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=str)
def test_every_column_is_named_with_why_and_how_long(table: Table, language: str) -> None:
    what, why, long = rows(POLICIES[language])[table.name]
    assert set(re.findall(r"`(\w+)`", what)) == {column.name for column in table.c}
    assert why.strip()
    assert long.strip()


def lengths_in(text: str, language: str) -> tuple[timedelta, ...]:
    """Return the days and hours that a sentence tells."""
    return tuple(
        timedelta(days=int(number.replace(",", "")))
        if unit in DAYS
        else timedelta(hours=int(number.replace(",", "")))
        for number, unit in re.findall(UNITS[language], text)
    )


@pytest.mark.parametrize("language", POLICIES)
def test_every_policy_tells_how_many_days_each_table_is_kept(language: str) -> None:
    told = {table: lengths_in(long, language) for table, (_, _, long) in rows(POLICIES[language]).items()}
    where = "KEPT_FOR and the last column of each docs/privacy*.md say how long a table is kept"
    assert {table: lengths for table, lengths in told.items() if lengths} == KEPT_FOR, where


@pytest.mark.parametrize(("page", "told", "kept_for"), TOLD_ELSEWHERE)
def test_other_pages_tell_the_same_days(page: str, told: str, kept_for: timedelta) -> None:
    (days,) = re.findall(told, (ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert timedelta(days=int(days.replace(",", ""))) == kept_for


@pytest.mark.parametrize("language", POLICIES)
def test_every_policy_tells_when_the_copy_of_an_upgrade_goes(language: str) -> None:
    points = {each: re.findall(r"^- .+$", text, re.MULTILINE) for each, text in POLICIES.items()}
    (place,) = (at for at, point in enumerate(points[""]) if "**Copies of the database**" in point)
    assert re.findall(r"\d+", points[language][place]) == [str(backup.KEPT_AFTER_UPGRADE.days)]


def test_a_store_without_settings_keeps_a_history_as_long_as_they_say() -> None:
    assert Retention() == HISTORY


@pytest.mark.parametrize("language", POLICIES)
def test_what_is_about_members_stands_under_their_heading(language: str) -> None:
    plans = {"post_plans"}  # of servers, but for those that write to one member
    by_account = {"budgets", "kept_answers", "kept_windows"}
    about = {table.name for table in tables_about_members()} - plans | by_account
    section = POLICIES[language].partition(f"## {ABOUT_YOU[language]}")[2].partition("\n## ")[0]
    assert rows(section).keys() == about


@pytest.mark.parametrize("language", POLICIES)
def test_the_policy_says_what_discord_asks_a_policy_to_say(language: str) -> None:
    said = POLICIES[language].casefold()
    assert [asked for asked in ASKED[language] if asked.casefold() not in said] == []


def test_hosts_are_told_what_the_directory_asks_for() -> None:
    page = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    section = page.partition("## In Discord's app directory")[2].partition("\n## ")[0]
    settings = {name.upper() for name in Settings.model_fields}
    named = {"PRIVACY_URL", "SUPPORT_URL", "SOURCE_URL", "FEEDBACK_CHANNEL"}
    assert named <= settings
    assert named <= set(re.findall(r"`([A-Z_]+)`", section))
    for asked in ("privacy.md", "Terms of Service", "two-factor", "support server", "privileged", "/help"):
        assert asked in section, asked
