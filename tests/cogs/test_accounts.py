import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from dailies import settled
from world import World

from bot.api.answer import Key
from bot.domain.ids import MemberId, UserId
from bot.domain.members import AccountLink, Visibility
from bot.domain.players import Target
from bot.store.links import Replaced


async def test_link_checks_the_token_and_names_the_account(
    world: World, no_token_anywhere: Callable[[], None]
) -> None:
    alice = world.discord.person("Alice")
    reply = await world.link(alice, "minamo_plays")
    assert reply.is_private
    assert "ＭＩＮＡＭＯ" in reply.everything
    assert "Who may look you up by your Discord name? You can change this in" in reply.everything
    menu = reply.components[0]
    choices = ("Only me", "Members of servers we share", "Anyone")
    assert menu.options == tuple(f"Who may look you up: {each}" for each in choices)
    assert menu.chosen == menu.options[:1]
    no_token_anywhere()


async def test_link_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    form = await hanako.slash(world.discord.channel, "link")
    assert form.form is not None
    assert form.form.title == "アカウント連携"
    reply = await world.link(hanako, "haruka88")
    assert reply.embed.title == "連携しました"


async def test_the_form_says_where_the_token_is_made(world: World) -> None:
    alice = world.discord.person("Alice")

    async def said() -> str:
        return str((await alice.slash(world.discord.channel, "link")).result.modal)

    base, host = world.settings.record_api_url.rstrip("/"), urlsplit(world.settings.record_api_url).netloc
    assert f"developer section of your account settings on {host}: {base}/" in await said()
    assert (
        f"Access tokens are made on {host}: <{base}/>"
        in (await alice.slash(world.discord.channel, "best")).text
    )
    form = await alice.slash(world.discord.channel, "link")
    refused = await alice.submit(form, {"token": "0" * 64})
    assert "Make a new one" in refused.text
    assert f"Access tokens are made on {host}: <{base}/>" in refused.text
    world.settings = world.settings.model_copy(update={"token_url": "https://records.example/developer"})
    await world.start_bot()
    assert "Create an access token on records.example: https://records.example/developer" in await said()
    told = (await alice.slash(world.discord.channel, "account")).text
    assert told.endswith("Access tokens are made on records.example: <https://records.example/developer>")


async def test_visibility_and_language_are_chosen_where_the_account_is_named(world: World) -> None:
    alice = world.discord.person("Alice")
    linked = await world.link(alice, "minamo_plays")
    open_to_all = await alice.choose(linked, "Who may look you up", "Anyone")
    assert open_to_all.components[0].chosen == ("Who may look you up: Anyone",)
    assert open_to_all.embed.title == linked.embed.title
    japanese = await alice.choose(open_to_all, "Language", "日本語")
    assert japanese.embed.title == "連携しました"
    assert japanese.components[1].chosen == ("言語: 日本語",)
    assert (await alice.slash(world.discord.channel, "settings")).embed.title == "自分の設定"


@pytest.mark.parametrize(("locale", "label"), [("en-US", "Link"), ("ja", "連携する")])
async def test_whoever_has_not_linked_is_a_button_away_from_the_form(
    world: World, locale: str, label: str
) -> None:
    hanako = world.discord.person("Hanako", locale=locale)
    for command in ("best", "account"):  # in a public place and in a private one
        told = await hanako.slash(world.discord.channel, command)
        assert told.is_private
        form = await hanako.click(told, label)
        reply = await hanako.submit(form, {"token": world.token("haruka88")})
        assert "haruka88" in reply.everything
        await hanako.slash(world.discord.channel, "unlink")


async def test_a_form_that_is_no_more_is_too_old(world: World) -> None:
    alice = world.discord.person("Alice")
    old = {"type": 2, "style": 1, "label": "Old", "custom_id": "form:gone"}
    reply = await alice.click(world.discord.left_behind(world.discord.channel, old), "Old")
    assert "too old" in reply.posts[-1].text


@pytest.mark.parametrize(
    ("locale", "sentence"), [("en-US", "rejected the access token"), ("ja", "拒否されました")]
)
async def test_a_wrong_token_changes_nothing(world: World, locale: str, sentence: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    form = await alice.slash(world.discord.channel, "link")
    assert form.form is not None
    reply = await alice.submit(form, {form.form.inputs[0].custom_id: "0" * 64})
    assert reply.is_private
    assert sentence in reply.text
    assert (await alice.click(reply, reply.components[0].custom_id)).form
    assert "/link" in (await alice.slash(world.discord.channel, "account")).text
    assert "0" * 64 not in world.log.text


@pytest.mark.parametrize("copied", ["\n {} \u3000\n", "\u200b{}\ufeff", '"{}"', "`{}`", "「{}」"], ids=repr)
async def test_a_token_is_taken_as_it_was_copied(world: World, copied: str) -> None:
    alice, token = world.discord.person("Alice"), world.token("DrBeat")
    for text in (token, f"{token[:9]} {token[9:20]}\r\n{token[20:]}"):
        form = await alice.slash(world.discord.channel, "link")
        reply = await alice.submit(form, {"token": copied.format(text)})
        assert "This is now your account" in reply.everything


@pytest.mark.parametrize("typed", ["   ", "\u200b"], ids=repr)
async def test_of_a_token_of_which_nothing_can_be_seen_nobody_is_asked(world: World, typed: str) -> None:
    alice = world.discord.person("Alice")
    async with world.unanswered():
        form = await alice.slash(world.discord.channel, "link")
        assert "invisible character" in (await alice.submit(form, {"token": typed})).text


async def test_account_shows_what_is_linked_and_what_is_left(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "haruka88", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "account")
    assert reply.is_private
    assert "haruka88" in reply.everything
    assert "jp2" in reply.everything
    assert "Members of servers we share" in reply.everything
    (left,) = [each.value for each in reply.embed.fields if each.name == "Requests left"]
    assert re.fullmatch(
        r"About 11\d of 120 questions until \d\d?:\d\d(?:\s[AP]M)?\n-# By version of the API: 2\.0: 1\d\d of 120, 1\.3: 1\d\d of 120",
        str(left),
    )
    assert "protected" in reply.everything
    menu, *_ = reply.components
    assert menu.chosen == ("Who may look you up: Members of servers we share",)


async def test_visibility_is_chosen_in_account(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "account")
    changed = await alice.choose(reply, reply.components[0].custom_id, "Anyone")
    assert "Anyone" in changed.everything
    assert changed.components[0].chosen == ("Who may look you up: Anyone",)


LOOKING = "Who may look you up"


@pytest.mark.parametrize("where", ["link", "account"])
async def test_one_press_lets_friends_see_a_member_and_one_takes_it_back(world: World, where: str) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(bob, "DrBeat")
    page = await world.link(alice, "minamo_plays")
    if where == "account":
        page = await alice.slash(world.discord.channel, "account")
    assert "has not linked" in (await bob.slash(world.discord.channel, "rating", member=alice)).text
    seen = await alice.click(page, "Let friends see me")
    assert "members of servers we share can look you up now" in seen.everything
    assert "“Only me” takes that back" in seen.everything
    assert seen.component(LOOKING).chosen == (f"{LOOKING}: Members of servers we share",)
    assert (await bob.slash(world.discord.channel, "rating", member=alice)).embeds
    hidden = await alice.click(seen, "Back to “Only me”")
    assert "nobody else can look you up" in hidden.everything
    assert hidden.component(LOOKING).chosen == (f"{LOOKING}: Only me",)
    assert hidden.component("Let friends see me")
    assert "has not linked" in (await bob.slash(world.discord.channel, "rating", member=alice)).text


async def test_who_may_be_seen_is_not_asked_to_be(world: World) -> None:
    alice = world.discord.person("Alice")
    page = await world.link(alice, "minamo_plays", Visibility.ANYONE)
    assert "anyone can look you up now" in page.everything
    for shown in (page, await alice.slash(world.discord.channel, "account")):
        assert "Let friends see me" not in {each.label for each in shown.components}
    assert "Done" not in (await alice.slash(world.discord.channel, "account")).everything
    settings = await alice.slash(world.discord.channel, "settings")
    assert "nobody else" in (await alice.choose(settings, LOOKING, "Only me")).everything


async def test_linking_again_keeps_the_visibility(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.ANYONE)
    reply = await world.link(alice, "minamo_plays")
    assert reply.components[0].chosen == ("Who may look you up: Anyone",)


async def test_linking_another_account_keeps_nothing_of_the_one_before(world: World) -> None:
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "minamo_plays", Visibility.ANYONE)
    await alice.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    await alice.slash(world.discord.channel, "daily join")
    await alice.slash(world.discord.channel, "daily direct", every="daily", time="21:00")
    await alice.slash(world.discord.channel, "goal add", goal="rating 17.00")
    await settled(world)
    form = await alice.slash(world.discord.channel, "link")
    assert "what is kept with `minamo_plays` is erased" in str(form.result.modal)
    reply = await alice.submit(form, {"Access token": world.token("DrBeat")})
    assert (
        "Erased with the previous account, `minamo_plays`: your place in the daily post of 1 server, "
        "the direct messages about your day, 1 goal, 1 day of history."
    ) in reply.everything
    assert reply.components[0].chosen == ("Who may look you up: Only me",)
    assert "Dr.Beat" in reply.everything.replace("\\", "")
    account = await alice.slash(world.discord.channel, "account")
    assert "In no daily post" in account.everything


async def test_nothing_is_said_to_be_erased_where_nothing_is(world: World) -> None:
    alice = world.discord.person("Alice")
    first = await alice.slash(world.discord.channel, "link")
    assert "erased" not in str(first.result.modal)
    for linked in (
        await alice.submit(first, {"Access token": world.token("DrBeat")}),
        await world.link(alice, "DrBeat"),  # with another token, perhaps
    ):
        assert "rased" not in linked.everything


async def test_a_link_waits_for_no_request_of_another_with_the_same_account(world: World) -> None:
    alice = world.discord.person("Alice")
    with closing(sqlite3.connect(world.service_database)) as service:
        ((account,),) = service.execute("SELECT user_id FROM accounts WHERE user_name = 'DrBeat'")
    cache = world.bot.features.accounts._askers._cache
    asking = asyncio.create_task(cache.get(Key(UserId(account), ("player", Target())), asyncio.Event().wait))
    await asyncio.sleep(0)
    assert "Dr.Beat" in (await world.link(alice, "DrBeat")).everything
    asking.cancel()


@pytest.mark.parametrize("how", ["unlink", "privacy erase", "link"])
async def test_of_two_with_one_account_each_keeps_their_own(world: World, how: str) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    for person in (alice, bob):
        await world.link(person, "DrBeat")
        await person.slash(world.discord.channel, "best")
    left = world.bot.features.accounts
    before = (await left.report(MemberId(bob.id))).budgets
    if how == "link":
        await world.link(alice, "minamo_plays")
    else:
        reply = await alice.slash(world.discord.channel, how)
        if how == "privacy erase":
            await alice.click(reply, "Erase everything")
    await world.stop_service()
    await world.start_bot()  # before Bob asks: what is asked is written down anew
    report = await world.bot.features.accounts.report(MemberId(bob.id))
    for (version, now), (_, then) in zip(report.budgets, before, strict=True):
        assert now.remaining <= then.remaining < then.limit, version
    assert "Dr.Beat" in (await bob.slash(world.discord.channel, "best")).everything.replace("\\", "")
    if how != "link":
        assert "have not linked" in (await alice.slash(world.discord.channel, "best")).text


async def test_who_links_again_what_another_member_has_too_is_remembered_anew(world: World) -> None:
    """What is at hand of the account is as old as what was noted, and erased, with the link before."""
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    for person in (alice, bob):
        await world.link(person, "DrBeat")
        await person.slash(world.discord.channel, "session")
    await alice.slash(world.discord.channel, "unlink")
    world.clock.advance(1)
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "session")
    assert "Your records are remembered from now on" in reply.everything


async def test_linking_another_account_happens_wholly_or_not_at_all(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await alice.slash(world.discord.channel, "rating")
    await world.change_database(
        "CREATE TRIGGER torn BEFORE INSERT ON links BEGIN SELECT RAISE(ABORT, 'torn'); END"
    )
    form = await alice.slash(world.discord.channel, "link")
    refused = await alice.submit(form, {"Access token": world.token("minamo_plays")})
    assert "on our side" in refused.text
    await world.change_database("DROP TRIGGER torn")
    account = (await alice.slash(world.discord.channel, "account")).everything
    assert "DrBeat" in account
    assert "Anyone" in account
    assert "1 day" in (await alice.slash(world.discord.channel, "privacy show")).everything


async def test_of_two_accounts_that_are_linked_at_once_one_leaves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two forms of one person, each of which was begun when nothing was linked."""
    alice, names = MemberId(world.discord.person("Alice").id), ["DrBeat", "minamo_plays"]
    accounts = world.bot.features.accounts
    save, saving, both = accounts._store.links.save, list[AccountLink](), asyncio.Event()

    async def save_with_the_other(link: AccountLink, token: str) -> Replaced | None:
        saving.append(link)
        if len(saving) == len(names):
            both.set()
        await both.wait()
        return await save(link, token)

    monkeypatch.setattr(accounts._store.links, "save", save_with_the_other)
    await asyncio.gather(*(accounts.link(alice, world.token(name)) for name in names))
    link = (await accounts._store.members.get(alice)).link
    assert link is not None
    names.remove(link.user_name)
    for file in world.database.parent.iterdir():
        assert not file.is_file() or names[0].encode() not in file.read_bytes(), file.name


async def test_account_works_while_the_service_is_away(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.start_bot()
    await world.stop_service()
    reply = await alice.slash(world.discord.channel, "account")
    assert "minamo_plays" in reply.everything
    assert "not answering" in reply.everything
    changed = await alice.choose(reply, reply.components[0].custom_id, "Anyone")
    assert changed.components[0].chosen == ("Who may look you up: Anyone",)


async def test_a_lost_key_is_mended_by_linking_again(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.change_database("UPDATE links SET token = x'00'")
    await world.start_bot()  # a process keeps what it has read
    assert "/link" in (await alice.slash(world.discord.channel, "friends")).text
    await world.link(alice, "minamo_plays")
    assert (await alice.slash(world.discord.channel, "friends")).embeds


async def test_unlink_erases(world: World, no_token_anywhere: Callable[[], None]) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "unlink")
    assert reply.is_private
    assert "erased" in reply.everything
    again = await alice.slash(world.discord.channel, "unlink")
    assert again.is_private
    assert "have not linked" in again.text
    no_token_anywhere()


async def test_the_link_outlives_a_restart(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.start_bot()
    assert "minamo_plays" in (await alice.slash(world.discord.channel, "account")).everything
