"""Every command of the demo as people try it, in English and in Japanese."""

import os
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import pytest
import pytest_asyncio
from chat import GALLERY, Chat, OpenTab
from playwright.async_api import Locator, expect

from bot.demo import session
from bot.domain.goals import parse_goal
from bot.features.shared.goal_packs import GoalPack
from bot.store import key_of

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(1500 if GALLERY in os.environ else 300),  # pictures of each answer take their time
]

Both: TypeAlias = tuple[str, str]
"""What is said in English and in Japanese."""


@dataclass(frozen=True)
class Viewer:
    """Who tries the commands, and who else there is."""

    name: str
    other: str
    language: int
    locale: str
    """Of their browser."""


VIEWERS: Final = {"en": Viewer("Alice", "さくら", 0, "en-US"), "ja": Viewer("さくら", "Alice", 1, "ja-JP")}
OTHER: Final = "{other}"


@dataclass(frozen=True)
class Try:
    """A command with its options, and what its answer says."""

    command: str
    says: Both
    typed: Mapping[str, str | int]
    """By option; a number is the place of a suggestion, taken without typing."""
    chosen: Mapping[str, str]
    """By option, typed as well; the first suggestion is taken."""
    has_picture: bool


def _try(
    command: str,
    says: Both,
    typed: Mapping[str, str | int] | None = None,
    /,
    *,
    picture: bool = False,
    **chosen: str,
) -> Try:
    return Try(command, says, typed or {}, chosen, picture)


SONG: Final = "rainy horizon"
PACK: Final = key_of(str(GoalPack("Summer", "Ken", (parse_goal("level:14 rank>=sss count:20"),))))
OWN: Final = (
    _try("rating", ("Best average", "ベスト枠平均")),
    _try("rating", ("Best average", "ベスト枠平均"), member=OTHER),
    _try("best", ("For phones", "スマホ向け"), picture=True),
    _try("best", ("Candidates", "ベスト枠候補"), {"slot": 2}, picture=True),
    _try("session", ("Between", " ～ "), picture=True),
    _try("history", ("highest", "最高"), picture=True, member="Alice"),
    _try("history", ("each dot is a look", "点は取得した時点"), picture=True, chart=SONG),
    _try("recap", ("At a glance", "全体のまとめ")),
    _try("leaderboard", ("5 members", "5人")),
    _try("leaderboard", ("MASTER", "MASTER"), song=SONG),
    _try("score", ("Scores of", "のスコア"), song=SONG),
    _try("scores", ("average score", "平均スコア"), {"filter": "diff:mas rank<sss", "sort": 1}),
    _try("table", ("charts played", "譜面プレイ済み"), {"filter": "lv:14"}, picture=True),
    _try("worldsend", ("World's End scores of", "の WORLD'S END スコア")),
    _try("courses", ("courses cleared", "コースをクリア")),
    _try("plan", ("The next evening", "次にプレイする日")),
    _try("plan", ("16.63", "16.63"), {"target": "16.63"}),
    _try("plan", ("17.90", "17.90"), {"target": "17.9"}),
    _try(
        "whatif",
        ("Would be #", "位 になります"),
        {"score": "1009900"},
        song=SONG,
        difficulty="MASTER",
    ),
    _try("tiers", ("Tiers of", "の難易度表"), {"filter": "lv:14"}, picture=True),
    _try("version", ("Game version of", "のゲームバージョン")),
    _try("calc", ("Least score for 16.50", "16.50 に必要なスコア"), {"constant": "14.7", "rating": "16.5"}),
    _try("calc", ("16.77", "16.77"), {"constant": "14.7", "score": "1008295"}),
    _try("border", ("never below", "未満にはなりません"), song=SONG),
    _try("goal add", ("Goal set", "目標を設定しました"), {"goal": "level:14 rank>=sss count:20"}),
    _try("goal list", ("of ", "譜面中"), picture=True),
    _try("goal copy", ("Nothing was found", "見つかりません"), {"code": "nothing"}),
    _try("pack make", ("Pack of goals made", "目標セットを作りました"), {"name": "Summer", "author": "Ken"}),
    _try("pack pin", ("Pack of goals pinned", "目標セットを固定しました"), {"code": PACK}),
    _try("pack list", ("Summer", "Summer")),
    _try("pack take", ("Nothing is set yet", "まだ設定していません"), {"code": PACK}),
    _try("pack unpin", ("no longer pinned", "固定を外しました"), {"code": 0}),
    _try("pack drop", ("Nothing was found", "見つかりません"), {"code": "nothing"}),
    _try("goal remove", ("Goal removed", "目標を削除しました"), {"goal": 0}),
    _try("locked add", ("Left out", "対象から外しました"), song=SONG),
    _try("locked list", ("Songs that you have not unlocked", "未解禁の曲")),
    _try("locked remove", ("counts again", "対象に戻しました"), song=SONG),
    _try("practice", ("A solid gain", "堅実に伸ばす")),
    _try("skill", ("Strong", "得意"), picture=True),
    _try(
        "compare",
        ("Filter on your records", "あなたの記録の絞り込み"),
        {"filter": "const>=13"},
        member=OTHER,
        picture=True,
    ),
    _try("overpower", ("songs played", "曲プレイ済み"), picture=True),
    _try("overpower", ("A song counts by", "各曲で"), {"by": 1}, picture=True),
    _try("overpower", ("Each chart counts", "内訳は譜面ごと"), {"by": 2}, picture=True),
    _try("friends", ("Your friends", "フレンド")),
)
FINDING: Final = (
    _try("song", ("Rainy Horizon", "Rainy Horizon"), title=SONG),
    _try("search", (" charts", " 譜面"), {"filter": "const>=13.5 genre:original -lamp:aj"}),
    _try("random", ("Random charts", "ランダム選曲"), {"filter": "lv:14", "count": "3"}),
    _try("random", ("strikes next", "次に外すのは"), {"filter": "lv:14", "players": "@みお"}),
    _try("stats", ("Ranks", "ランク"), song="iron rondo", picture=True),
    _try("new", ("New in the catalogue", "新曲・定数変更")),
    _try("alias add", ("now means", "見つかります"), {"alias": "rr"}, song=SONG),
    _try("alias list", ("rr → ", "rr → ")),
    _try("alias suggest", ("Suggested alias", "別名の提案"), {"alias": "rain"}, song=SONG),
    _try("alias export", ("Aliases in this server", "このサーバーでの別名")),
    _try("alias remove", ("no song in this server", "ではなくなりました"), alias="rr"),
)
AROUND: Final = (
    _try(
        "daily channel",
        ("Each day at 9:00", "毎日 21:00"),
        {"time": "21:00"},
        channel="general",
        timezone="Asia/Tokyo",
    ),
    _try("daily join", ("You are in", "参加しました")),
    _try("daily list", ("Posts of this server", "このサーバーの投稿")),
    _try("daily preview", ("のレーティング", "のレーティング"), picture=True),
    _try("daily direct", ("by myself", "こちらから DM を送ることはありません")),
    _try("daily leave", ("You are out", "参加をやめました")),
    _try("daily now", ("within half a minute", "30秒以内")),
    _try("daily off", ("turned off", "停止しました")),
    _try("feed channel", ("SSS or higher", "SSS 以上"), {"rank": 1}, channel="general"),
    _try("feed join", ("You are in the feed", "速報に参加しました")),
    _try("feed list", ("Feeds of this server", "このサーバーの速報")),
    _try("feed leave", ("You are out of the feed", "速報から抜けました")),
    _try("feed off", ("turned off", "停止しました")),
    _try("settings", ("Your settings", "自分の設定")),
    _try("settings", ("Europe/London", "Europe/London"), timezone="Europe/London"),
    _try("account", ("Requests left", "残りリクエスト数")),
    _try("export", ("Your records", "自分の記録")),
    _try("export", (".json", ".json"), {"format": 1}),
    _try("export", ("Batch Manual", "Batch Manual"), {"format": 2}),
    _try("privacy show", ("What is kept about you", "保存されている自分の情報")),
    _try("privacy export", ("kiroku-kept.json", "kiroku-kept.json")),
    _try("try", ("This player is invented", "架空のプレイヤー"), picture=True),
    _try("help", ("What this bot can do", "このボットでできること")),
    _try("help", ("/scores [", "/スコア一覧 ["), command="scores"),
    _try("about", ("Non-commercial", "非営利")),
    _try("privacy erase", ("Erase everything?", "すべて消去しますか？")),
    _try("unlink", ("Unlinked", "連携を解除しました")),
)
FORMS: Final = ("link", "setup", "alias import", "pack import")
"""What answers with a form to be filled in."""
GROUPS: Final = {"own": OWN, "finding": FINDING, "around": AROUND}


@dataclass
class Walk:
    """Somebody who tries one command after the other."""

    chat: Chat
    viewer: Viewer
    short: str
    taken: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])
    """What was wrong with answers on a phone."""

    async def take(self, step: Try) -> Locator:
        """Type a command, send it, and wait for its whole answer."""
        since = await self.chat.newest()
        await self.chat.begin(step.command)
        for option, text in step.typed.items():
            if isinstance(text, int):
                await self.chat.fill(option, "")
                await self.chat.suggestions.nth(text).click()
            else:
                await self.chat.fill(option, text)
        for option, text in step.chosen.items():
            # The page has suggested others before it hears of the name.
            other = self.viewer.other if text == OTHER else None
            await self.chat.fill(option, other or text, choose=other)
            if other is None:
                await self.chat.suggestions.first.click()
        await self.chat.send()
        answer = await self.chat.answer(since)
        await expect(answer).to_contain_text(step.says[self.viewer.language])
        self.taken[step.command] += 1
        name = self.name_of(step)
        self.faults += [f"{name}: {fault}" for fault in await self.chat.faults_on_phone(answer)]
        if step.has_picture:
            await self.chat.show_picture(answer, f"{name}-picture")
        await self.chat.show(name, on_phone=True)
        await self.chat.show_answer(answer, name)
        return answer

    async def turn_for_phones(self, step: Try, answer: Locator) -> None:
        """Turn the picture of an answer into that for phones and back, in place; posts have but one."""
        chat, language = self.chat, self.viewer.language
        phones, wide = (
            answer.get_by_role("button", name=name[language], exact=True)
            for name in (("For phones", "スマホ向け"), ("Wide", "横長"))
        )
        if not await phones.count():
            return
        since, name = await chat.newest(), self.name_of(step)
        await phones.click()
        await expect(wide).to_be_visible()
        assert await chat.newest() == since
        await chat.show_picture(answer, f"{name}-for-phones-picture")
        await chat.show(f"{name}-for-phones", on_phone=True)
        await wide.click()
        await expect(phones).to_be_visible()

    def name_of(self, step: Try) -> str:
        """Return what the pictures of a command's last answer are called."""
        nth = self.taken[step.command]
        return f"{self.short}-{step.command.replace(' ', '-')}" + (f"-{nth}" if nth > 1 else "")


@pytest_asyncio.fixture(loop_scope="session")
async def demo(tmp_path: Path) -> AsyncGenerator[str]:
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _unlinked):
        yield page.url


@pytest.mark.long
@pytest.mark.parametrize("is_light", [False, True] if GALLERY in os.environ else [False])
@pytest.mark.parametrize("short", VIEWERS)
@pytest.mark.parametrize("group", GROUPS)
async def test_every_command(demo: str, open_tab: OpenTab, group: str, short: str, *, is_light: bool) -> None:
    viewer = VIEWERS[short]
    chat = await open_tab(demo, locale=viewer.locale)
    await chat.view_as(viewer.name)
    if is_light:
        await turn_light(chat, viewer)
    walk = Walk(chat, viewer, f"light/{short}" if is_light else short)
    for step in GROUPS[group]:
        answer = await walk.take(step)
        if step.has_picture and (GALLERY in os.environ or step.command == "best"):
            await walk.turn_for_phones(step, answer)
    assert walk.faults == []


async def turn_light(chat: Chat, viewer: Viewer) -> None:
    """Have the pictures drawn for a light page."""
    since = await chat.newest()
    await chat.begin("settings")
    await chat.send()
    pictures, light = (("Pictures", "Light · Wide"), ("画像", "ライト · 横長"))[viewer.language]
    await chat.pick_theme(await chat.answer(since), pictures, light)


async def test_no_command_is_left_out(demo: str, open_tab: OpenTab) -> None:
    tried = {step.command for group in GROUPS.values() for step in group}
    assert tried | {*FORMS} == await (await open_tab(demo)).offered()


@pytest.mark.long
@pytest.mark.parametrize("short", VIEWERS)
@pytest.mark.parametrize("command", FORMS)
async def test_what_answers_with_a_form(demo: str, open_tab: OpenTab, command: str, short: str) -> None:
    chat = await open_tab(demo, locale=VIEWERS[short].locale)
    await chat.view_as(VIEWERS[short].name)
    await chat.begin(command)
    await chat.send()
    form = chat.form.get_by_role("dialog")
    await expect(form).to_be_visible()
    await chat.show_answer(form, f"{short}-{command.replace(' ', '-')}")


@pytest.mark.parametrize("short", [pytest.param("en", marks=pytest.mark.long), "ja"])
async def test_a_list_is_shared_and_all_is_erased(demo: str, open_tab: OpenTab, short: str) -> None:
    viewer = VIEWERS[short]
    chat, others = await open_tab(demo), await open_tab(demo)
    await chat.view_as(viewer.name)
    await others.view_as("Ken")
    walk = Walk(chat, viewer, f"{short}-shared")
    plan = await walk.take(_try("plan", ("The next evening", "次にプレイする日")))
    await expect(others.messages.filter(has_text="/plan")).to_have_count(0)
    await plan.get_by_role("button", name=("Share", "みんなに見せる")[viewer.language]).click()
    shared = await others.sees(("The next evening", "次にプレイする日")[viewer.language])
    await others.show(f"{short}-shared-plan-for-others")
    await expect(shared.locator(".component-button")).to_have_count(0)
    erase = await walk.take(_try("privacy erase", ("Erase everything?", "すべて消去しますか？")))
    await erase.get_by_role("button", name=("Erase everything", "すべて消去する")[viewer.language]).click()
    await chat.sees(("Everything is erased", "消去しました")[viewer.language])
    await chat.show(f"{short}-erased")
    await walk.take(_try("rating", ("You have not linked", "まだ連携されていません")))
