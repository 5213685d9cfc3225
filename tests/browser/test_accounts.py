"""What players would else make by hand, for an account without records, with some and with many: felt difficulty, tiers,
the best of anything, stories, lists of one's own, what the coach says and what an upload lacks.
"""

import os
import re
import sqlite3
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from chat import GALLERY, Chat, OpenTab
from playwright.async_api import Locator, expect
from tried_commands import OTHER, SONG, Try, step
from trying import Viewer, Walk

from bot.demo import session, world
from bot.ui.language.text import Languages

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(1500 if GALLERY in os.environ else 600),
]

WIDE: Final = 1280
EMPTY: Final = "empty"
ACCOUNTS: Final = {"full": "minamo_plays", "small": "sora_ch", EMPTY: "yuzu_new"}
"""Their players on the record service, by what they are called in the chat."""
OTHER_MEMBER: Final = "Ken"
SONGS: Final = {"full": (SONG, "silent signal"), "small": ("last cascade", SONG), EMPTY: (SONG, SONG)}
"""For each account a song that it has played, where it has any, and one that it has not."""
ANY: Final = ("", "")
PARTS: Final[Mapping[str, Sequence[Try]]] = {
    "felt": (
        step("song", ("Released", "追加日"), title="snake_case_love"),
        step("table", ANY, {"filter": "lv:14", "by": 1}),
        step("search", ANY, {"filter": "felt<const-0.2 lv>=13", "sort": 13}),
        step("new", ("New in the catalogue", "新曲・定数変更")),
        step("plan", ("Plan for", "レート上げプラン")),
    ),
    "tiers": (
        step("tiers", ("Tiers of", "の難易度表"), {"filter": "lv:14"}),
        step("tiers", ("Tiers of", "の難易度表"), {"filter": "lv:14", "rank": 1}, member=OTHER),
    ),
    "best": (
        step("best", ANY, {"filter": "lamp:aj"}),
        step("best", ANY, {"filter": "genre:original"}),
        step("best", ANY),
        step("score", ("Scores of", "のスコア"), song="{played}"),
        step("scores", ("Scores of", "のスコア"), {"filter": "lamp:aj", "sort": 14}),
    ),
    "story": (
        step("history", ("History: ", "の推移"), chart="{played}"),
        step("recap", ("looking back", "の振り返り")),
        step("recap", ("looking back", "の振り返り"), {"period": 1}),
    ),
    "lists": (
        step("locked add", ("Left out", "対象から外しました"), song="{locked}"),
        step("locked list", ("Songs that you have not unlocked", "未解禁の曲")),
        step("search", ANY, {"filter": "-locked lv:14"}),
        step("goal add", ("Goal set", "目標を設定しました"), {"goal": "level:14 rank>=sss count:20"}),
        step(
            "pack make", ("Pack of goals made", "目標セットを作りました"), {"name": "Summer", "author": "Ken"}
        ),
        step("goal list", ("of 40 charts", "40 譜面中")),
        step("random", ("strikes next", "次に外すのは"), {"filter": "lv:14", "players": "@みお"}),
    ),
    "coach": (
        step("plan", ("Plan for", "レート上げプラン")),
        step("plan", ANY, {"target": "17.9"}),
        step("practice", ANY),
        step("skill", ANY),
        step("goal list", ("of 40 charts", "40 譜面中")),
        step("score", ("Scores of", "のスコア"), song="{locked}"),
        step("compare", ANY, member=OTHER),
        step("whatif", ANY, {"score": "1008000"}, song="{played}", difficulty="MASTER"),
    ),
    "upload": (step("rating", ("upload again", "アップロードしてください")),),
}


@dataclass(frozen=True)
class Stage:
    """A demo with those accounts, and the database of its record service."""

    url: str
    tokens: Mapping[str, str]
    service: Path

    def raise_rating(self, player: str, *, is_empty: bool) -> None:
        """Let the profile be newer than the records, of which an account without any has none."""
        with closing(sqlite3.connect(self.service)) as connection, connection:
            connection.execute(
                "UPDATE accounts SET rating = rating + 2, rating_max = rating_max + 2 WHERE user_name = ?",
                (player,),
            )
            if is_empty:
                query = (
                    "DELETE FROM records WHERE user_id = (SELECT user_id FROM accounts WHERE user_name = ?)"
                )
                connection.execute(query, (player,))


@pytest_asyncio.fixture(loop_scope="session")
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str) -> AsyncGenerator[Stage]:
    """A demo whose people are called what they have, and read one language; who has nothing links in the chat."""
    first, *_ = world.RESIDENTS
    kept = [each for each in world.RESIDENTS if each.player not in ACCOUNTS.values()]
    people = [
        replace(first, name=name, player=player, locale=locale, is_linked=name != EMPTY)
        for name, player in ACCOUNTS.items()
    ]
    monkeypatch.setattr(world, "RESIDENTS", (*people, *kept))
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, tokens):
        yield Stage(page.url, tokens, tmp_path / "service.db")


@pytest.mark.long
@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("locale", [world.ENGLISH, world.JAPANESE])
async def test_every_part(stage: Stage, open_tab: OpenTab, locale: str, account: str) -> None:
    chat, t = await open_tab(stage.url, locale=locale, width=WIDE), Languages()[locale]
    await chat.view_as(account)
    if account in stage.tokens:
        await link(chat, stage.tokens[account])
    walk = Walk(chat, Viewer(account, OTHER_MEMBER, int(locale == world.JAPANESE), locale), "")
    for part, steps in PARTS.items():
        walk.short = f"accounts/{locale[:2]}-{part}-{account}"
        for each in (with_songs(each, *SONGS[account]) for each in steps):
            if part == "upload":
                await chat.next_day()
                stage.raise_rating(ACCOUNTS[account], is_empty=account == EMPTY)
            answer = await walk.take(each)
            name = walk.name_of(each)
            if each.command == "score" and account != EMPTY:
                since = await chat.newest()
                await answer.get_by_role("button", name=t("History"), exact=True).click()
                await chat.show_answer(await chat.answer(since), f"{name}-history")
            if each.command == "recap":
                await turn_pages(chat, answer, t("Next"), name)
    assert walk.faults == []


async def turn_pages(chat: Chat, answer: Locator, label: str, name: str) -> None:
    """Turn the pages of an answer to the last one, and keep each."""
    counted = re.search(r"^1 / (\d+)$", await answer.inner_text(), re.MULTILINE)
    total = int(counted[1]) if counted else 0
    for number in range(2, total + 1):
        await answer.get_by_role("button", name=label, exact=True).click()
        await expect(answer).to_contain_text(f"{number} / {total}")
        await chat.show_answer(answer, f"{name}-page-{number}")


def with_songs(each: Try, played: str, locked: str) -> Try:
    """Return a step about songs of an account."""
    chosen = {
        name: text.format(played=played, locked=locked, other=OTHER) for name, text in each.chosen.items()
    }
    return replace(each, chosen=chosen)


async def link(chat: Chat, token: str) -> None:
    """Link an account."""
    await chat.begin("link")
    await chat.send()
    await chat.form.get_by_role("textbox").fill(token)
    since = await chat.newest()
    await chat.form.locator(".button-primary").click()
    await chat.answer(since)
