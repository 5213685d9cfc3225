"""What players would else make by hand, for an account without records, with some and with many: felt difficulty, tiers,
the best of anything, stories, lists of one's own, what the coach says and what an upload lacks.
"""

import os
import re
import sqlite3
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from chat import GALLERY, Chat, OpenTab
from playwright.async_api import Locator, TimeoutError, expect  # noqa: A004 - Playwright's own
from tried_commands import NOT_PLAYED, OTHER, PACK, SONG, Try, step
from trying import Viewer, Walk

from bot.demo import session, world
from bot.ui.language.text import Language, Languages

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(1500 if GALLERY in os.environ else 600),
]

WIDE: Final = 1280
EMPTY: Final = "empty"
ACCOUNTS: Final = {"full": "minamo_plays", "small": "sora_ch", EMPTY: "yuzu_new"}
"""Their players on the record service, by what they are called in the chat."""
OTHER_MEMBER: Final = "Ken"
SONGS: Final = {"full": (SONG, NOT_PLAYED), "small": ("last cascade", SONG), EMPTY: (SONG, SONG)}
"""For each account a song that it has played, where it has any, and one that it has not."""
ANY: Final = ("", "")
PICTURED: Final = {"table", "tiers", "best", "history", "score", "goal add", "goal list", "skill", "compare"}
"""Commands that answer with a picture, and what those need: only pictures are light or dark."""
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
        step("pack take", ANY, {"code": PACK}),
        step("pack list", ANY),
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
        """Let the profile be newer than the records, by more than constants that nobody knows may hide; who is empty has none."""
        with closing(sqlite3.connect(self.service)) as connection, connection:
            connection.execute(
                "UPDATE accounts SET rating = rating + 30, rating_max = rating_max + 30 WHERE user_name = ?",
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
@pytest.mark.parametrize("is_light", [False, True] if GALLERY in os.environ else [False])
@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("locale", [world.ENGLISH, world.JAPANESE])
async def test_every_part(
    stage: Stage, open_tab: OpenTab, locale: str, account: str, *, is_light: bool
) -> None:
    chat, t = await open_tab(stage.url, locale=locale, width=WIDE), Languages()[locale]
    await chat.view_as(account)
    if account in stage.tokens:
        await link(chat, stage.tokens[account])
    walk = Walk(chat, Viewer(account, OTHER_MEMBER, int(locale == world.JAPANESE), locale), "")
    if is_light:
        await walk.turn_light()
    for part, steps in PARTS.items():
        walk.short = f"{'light/' * is_light}accounts/{locale[:2]}-{part}-{account}"
        for each in (with_songs(each, *SONGS[account]) for each in steps):
            if is_light and each.command not in PICTURED:
                continue
            if part == "upload":
                await chat.next_day()
                stage.raise_rating(ACCOUNTS[account], is_empty=account == EMPTY)
            answer = await walk.take(each)
            await keep_pictures(walk, each, answer)
            if account != EMPTY:
                await look_further(walk, each, answer, t)
            if each.command == "recap":
                await turn_pages(chat, answer, t("Next"), walk.name_of(each))
            if each.command == "random" and not is_light:
                await strike_all(walk, each, answer)
    assert walk.faults == []


async def keep_pictures(walk: Walk, each: Try, answer: Locator) -> None:
    """Keep the picture of an answer, where it has one and pictures are asked for, and the one for phones."""
    if GALLERY in os.environ and await answer.locator(".message-attachments img").count():
        await walk.chat.show_picture(answer, f"{walk.name_of(each)}-picture")
        await walk.turn_for_phones(each, answer)


async def look_further(walk: Walk, each: Try, answer: Locator, t: Language) -> None:
    """Press what leads further from a first answer: the list of tiers, those of all players, the story of a score."""
    chat, name = walk.chat, walk.name_of(each)
    if walk.taken[each.command] > 1 or each.command not in ("tiers", "score"):
        return
    if each.command == "tiers":
        for_all, for_me = (
            answer.get_by_role("button", name=t(label), exact=True)
            for label in ("For all of my rating", "For me")
        )
        await for_all.click()
        await expect(for_me).to_be_visible()
        await chat.show_answer(answer, f"{name}-for-all")
    since = await chat.newest()
    label = t("List" if each.command == "tiers" else "History")
    await answer.get_by_role("button", name=label, exact=True).click()
    aside = await chat.answer(since)
    await chat.show_answer(aside, f"{name}-aside")
    await keep_pictures(walk, each, aside)


async def strike_all(walk: Walk, each: Try, answer: Locator) -> None:
    """Strike charts in turn until one is left."""
    chat = walk.chat
    for number, name in enumerate((walk.viewer.name, "みお") * 2):
        await chat.view_as(name)
        for _ in range(3):  # for another viewer the page is drawn anew, which closes a menu
            await answer.locator(".select-trigger").click()
            with suppress(TimeoutError):
                await answer.locator(".option-label").first.click(timeout=5_000)
                break
        if number == 0:
            await expect(answer).to_contain_text("@みお")
            await chat.show_answer(answer, f"{walk.name_of(each)}-struck")
        if number < 3:  # the last leaves one, and nothing that is struck out
            await expect(answer.locator("del")).to_have_count(number + 1)
    await expect(answer.locator(".select-trigger")).to_have_count(0)
    await chat.view_as(walk.viewer.name)
    await chat.show_answer(answer, f"{walk.name_of(each)}-left")


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
