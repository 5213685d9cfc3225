"""`/help`, `/about` and `/export`."""

import csv
import json
import re
from io import StringIO

import pytest
from discord import AppCommandType
from discord.app_commands import Command
from known_commands import COMMANDS, FORM, commands_with
from pydantic import SecretStr
from tried_commands import GROUPS
from world import World

from bot.base.build import find_build
from bot.demo.tries import ROWS, MenuTry, Try
from bot.ui.help import _FIRST_COMMANDS, _FIRST_COMMANDS_WITHOUT_ACCOUNT, COMMANDS_BY_TOPIC


@pytest.mark.parametrize(
    ("locale", "title", "everything", "turn"),
    [
        ("en-US", "What this bot can do", "All commands", "Next"),
        ("ja", "このボットでできること", "すべてのコマンド", "次へ"),
    ],
)
async def test_help_names_every_command_of_the_tree(
    world: World, locale: str, title: str, everything: str, turn: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    first = await alice.slash(world.discord.channel, "help")
    assert first.is_private
    assert first.embed.title == title
    topics = first.components[0]
    by_topic = [first] + [
        await alice.choose(first, topics.custom_id, each) for each in topics.options if each != everything
    ]
    reply = await alice.choose(first, topics.custom_id, everything)
    in_all = reply.everything
    while turn in {each.label for each in reply.components if not each.is_disabled}:
        reply = await alice.click(reply, turn)
        in_all += reply.everything
    for command in world.bot.tree.walk_commands():
        if isinstance(command, Command):
            name = command.qualified_name
            t = world.bot.languages[locale]
            # Pressed in English; by the name that is typed, and by that alone, where it is another.
            listed_as = f"</{name}:" if t.code == "en" else f"`/{t.command_name(name)}`"
            assert listed_as in in_all
            assert (f"</{name}:" in in_all) is (t.code == "en")
            listed = [
                page
                for page in by_topic[2:]  # the first names again what is used most
                if re.search(rf"^[^·\n]*{re.escape(listed_as)}.* · ", page.everything, re.MULTILINE)
            ]
            assert len(listed) == 1, command.qualified_name
    for kind in (AppCommandType.user, AppCommandType.message):
        menus = list(world.bot.tree.walk_commands(type=kind))
        assert menus
        assert all(world.bot.languages[locale].name("menu", menu.name) in in_all for menu in menus)
    for page in by_topic:
        listed = str(page.embed.description).splitlines()
        assert len(listed) <= 13, f"ten commands are a page: {page.everything}"
        assert len(page.components) >= 2  # a way on beside the other topics


async def test_every_command_stands_in_one_topic(world: World) -> None:
    """One that is new would be found among all commands alone."""
    words = {each.qualified_name.partition(" ")[0] for each in world.bot.tree.walk_commands()}
    placed = [word for topic in COMMANDS_BY_TOPIC.values() for word in topic]
    assert sorted(placed) == sorted(words), "each is in one topic of bot/ui/help.py"
    assert {*_FIRST_COMMANDS, *_FIRST_COMMANDS_WITHOUT_ACCOUNT} <= words


async def test_what_the_slow_tests_must_know_of_a_command_is_told(world: World) -> None:
    commands = {each.qualified_name for each in world.bot.tree.walk_commands() if isinstance(each, Command)}
    assert commands == COMMANDS.keys(), "each is a line of tests/known_commands.py"
    tried = {step.command for group in GROUPS.values() for step in group}
    assert tried == commands - commands_with(FORM), "each is a step of tests/tried_commands.py"


async def test_every_command_stands_in_the_demos_list_and_so_in_the_readme(world: World) -> None:
    """That list and README have the same rows is held by `tests/demo/test_tries.py`."""
    commands = {each.qualified_name for each in world.bot.tree.walk_commands() if isinstance(each, Command)}
    rows = [row for rows in ROWS.values() for row in rows]
    listed = {each.command for row in rows for each in row if isinstance(each, Try)}
    assert listed == commands, "each is a row of bot/demo/tries.py and of README"
    assert {each.menu for row in rows for each in row if isinstance(each, MenuTry)} == {"person", "message"}


@pytest.mark.parametrize(("locale", "link"), [("en-US", "Link"), ("ja", "連携する")])
async def test_help_begins_with_what_people_do(world: World, locale: str, link: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    before = await alice.slash(world.discord.channel, "help")
    link_command, best = (
        f"</{name}:" if locale == "en-US" else f"`/{world.bot.languages[locale].command_name(name)}`"
        for name in ("link", "best")
    )
    assert before.everything.index(link_command) < before.everything.index(best)
    assert link in {each.label for each in before.components}
    await world.link(alice, "DrBeat")
    after = await alice.slash(world.discord.channel, "help")
    assert link_command not in after.everything
    assert link not in {each.label for each in after.components}
    listed = [each for each in str(after.embed.description).splitlines() if each.startswith(("</", "`/"))]
    assert listed[0].startswith(best)
    assert not re.search("privacy|unlink", after.everything)
    for each in after.components[0].options:
        assert link not in {
            one.label for one in (await alice.choose(after, after.components[0].custom_id, each)).components
        }


@pytest.mark.parametrize(
    ("locale", "filters", "example"), [("en-US", "Filters", "const>="), ("ja", "絞り込みの書き方", "定数>=")]
)
async def test_filters_are_explained_by_examples_that_run(
    world: World, locale: str, filters: str, example: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "DrBeat")
    help_ = await alice.slash(world.discord.channel, "help")
    shown = await alice.choose(help_, help_.components[0].custom_id, filters)
    examples = [each.label for each in shown.components[1:]]
    assert len(examples) == 5
    assert examples[0].startswith(example)
    for each in examples:
        assert f"`{each}`" in shown.everything
        found = await alice.click(shown, each)
        assert found.is_private
        assert found.embeds
        assert found.charts, each


async def test_a_filter_that_cannot_be_read_leads_to_what_filters_are(world: World) -> None:
    alice = world.discord.person("Alice")
    refused = await alice.slash(world.discord.channel, "search", filter="konst>=14")
    explained = await alice.click(refused, "Filters")
    assert explained.is_private
    assert "`const>=14.0 rank<SSS`".lower() in explained.everything.lower()


async def test_help_explains_one_command(world: World) -> None:
    alice = world.discord.person("Alice")
    offered = await alice.autocomplete(world.discord.channel, "help", command="/bes")
    assert [choice["value"] for choice in offered] == ["best", "Show best"]
    reply = await alice.slash(world.discord.channel, "help", command="best")
    assert reply.embed.title == "/best"
    assert "`slot`" in reply.everything
    plain = await alice.slash(world.discord.channel, "help", command="about")
    assert "It has no options." in plain.everything
    unknown = await alice.slash(world.discord.channel, "help", command="nothing")
    assert "Nothing was found" in unknown.text


async def test_help_explains_an_entry_of_a_menu(world: World) -> None:
    alice, hanako = world.discord.person("Alice"), world.discord.person("Hanako", locale="ja")
    reply = await alice.slash(world.discord.channel, "help", command="Show best")
    assert reply.embed.title == "Show best"
    assert reply.embed.description == "In the menu of a person, under Apps"
    reply = await hanako.slash(world.discord.channel, "help", command="Find songs in this message")
    assert reply.embed.title == "このメッセージの曲を探す"
    assert str(reply.embed.description).startswith("メッセージを右クリック")


@pytest.mark.parametrize(
    ("typed", "value", "name", "title"),
    [
        ("ベスト", "best", "/ベスト", "/ベスト"),
        ("／でいりー", "daily channel", "/デイリー チャンネル", "/デイリー チャンネル"),
        ("join", "daily join", "/デイリー 参加", "/デイリー 参加"),
        ("枠を見る", "Show best", "ベスト枠を見る", "ベスト枠を見る"),
    ],
)
async def test_help_knows_commands_by_the_names_in_the_reader_s_own_list(
    world: World, typed: str, value: str, name: str, title: str
) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    offered = await hanako.autocomplete(world.discord.channel, "help", command=typed)
    assert (offered[0]["value"], offered[0]["name"]) == (value, name)
    for asked in (value, name):
        reply = await hanako.slash(world.discord.channel, "help", command=asked)
        assert reply.embed.title == title


async def test_about_says_what_and_where_from(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "about")
    assert "non-commercial" in reply.everything
    assert "song" in reply.everything
    build = find_build()
    assert build.version in reply.everything
    assert build.commit in reply.everything
    assert build.in_words() in await world.bot.describe()


@pytest.mark.parametrize(
    ("locale", "nowhere"),
    [("en-US", "No source link set by this bot's host"), ("ja", "ソースコードのリンクは設定されていません")],
)
async def test_about_says_where_the_source_is_or_that_nobody_knows(
    world: World, locale: str, nowhere: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    assert nowhere in (await alice.slash(world.discord.channel, "about")).everything
    world.settings = world.settings.model_copy(update={"source_url": "https://example.org/kiroku"})
    await world.start_bot()
    named = (await alice.slash(world.discord.channel, "about")).everything
    assert "https://example.org/kiroku" in named
    assert nowhere not in named


async def test_about_tells_of_how_many_charts_the_statistics_are_known(world: World) -> None:
    alice, hanako = world.discord.person("Alice"), world.discord.person("Hanako", locale="ja")
    await world.link(alice, "DrBeat")
    assert "they are being gathered" in (await alice.slash(world.discord.channel, "about")).everything
    await alice.slash(world.discord.channel, "stats", song="AETHER")
    assert "\n1 chart\nthe oldest <t:" in (await alice.slash(world.discord.channel, "about")).everything
    assert "\n1 譜面\n" in (await hanako.slash(world.discord.channel, "about")).everything
    await world.change_database("DELETE FROM chart_statistics")
    world.settings = world.settings.model_copy(update={"record_token": SecretStr("")})
    await world.start_bot()
    assert "this bot's host gathers none" in (await alice.slash(world.discord.channel, "about")).everything


async def test_about_works_while_the_service_is_away(world: World) -> None:
    await world.stop_service()
    elsewhere = f"{world.settings.database_url}.new"
    world.settings = world.settings.model_copy(
        update={"record_token": SecretStr(""), "database_url": elsewhere}
    )
    await world.start_bot()
    alice = world.discord.person("Alice", locale="ja")
    assert "まだ読み込んでいません" in (await alice.slash(world.discord.channel, "about")).everything


async def test_export_gives_every_record(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "export")
    assert reply.is_private
    contents = [world.discord.content(file) for file in reply.files]
    assert all(content.startswith(b"\xef\xbb\xbf") for content in contents)
    rows, courses = (list(csv.DictReader(StringIO(content.decode("utf-8-sig")))) for content in contents)
    reply = await alice.slash(world.discord.channel, "export", format="json")
    (file,) = reply.files
    told = json.loads(world.discord.content(file))
    objects = told["records"]
    assert len(rows) == len(objects) > 100
    assert len(courses) == len(told["courses"]) > 0
    assert courses[0]["course"] == told["courses"][0]["course"]
    assert told["region"] == "jp2"
    assert {row["difficulty"] for row in rows} >= {"MAS", "WE"}
    assert not any(row["title"].startswith(("=", "+", "-", "@")) for row in rows)
    assert rows[0]["score"] == str(objects[0]["score"])
    reply = await alice.slash(world.discord.channel, "export", format="kamaitachi")
    (file,) = reply.files
    told = json.loads(world.discord.content(file))
    assert len(told["scores"]) == sum(row["difficulty"] != "WE" for row in rows)
    assert "is not in it" in reply.everything or "are not in it" in reply.everything
