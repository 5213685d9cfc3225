"""What every command of one's own scores answers: to nobody, to the empty, the small and the huge, in both languages."""

import re

import pytest
from harness import Reply, Value
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared

MAX_EMBED = 6_000
MAX_DESCRIPTION = 4_096
MAX_FIELD = 1_024

COMMANDS: dict[str, dict[str, Value]] = {
    "score": {"song": "a"},
    "scores": {},
    "plan": {},
    "overpower": {},
    "courses": {},
    "worldsend": {},
    "calc": {"constant": 14.7},
}
PRIVATE = {"scores", "plan", "courses", "worldsend"}


def assert_within_limits(reply: Reply) -> None:
    embed = reply.embed
    assert len(embed) <= MAX_EMBED
    assert len(embed.description or "") <= MAX_DESCRIPTION
    assert all(len(field.value or "") <= MAX_FIELD for field in embed.fields)
    assert "{" not in reply.everything


@pytest.mark.parametrize("locale", ["en-US", "ja"])
@pytest.mark.parametrize("player", ["yuzu_new", "sora_ch", "DrBeat"])
async def test_every_command_answers_every_kind_of_account(world: World, player: str, locale: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, player, Visibility.SERVERS)
    for name, options in COMMANDS.items():
        reply = await alice.slash(world.discord.channel, name, **options)
        assert reply.is_private == (name in PRIVATE), name
        assert_within_limits(reply)
    assert "fault" not in world.log.text


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "calc"])
async def test_who_has_not_linked_is_told_how(world: World, name: str) -> None:
    carol = world.discord.person("Carol")
    reply = await carol.slash(world.discord.channel, name, **COMMANDS[name])
    assert reply.is_private
    assert re.search(r"Use </link:\d+> ", reply.text)


async def test_commands_have_japanese_names(world: World) -> None:
    wanted = {*COMMANDS, "whatif", "compare"}
    locales = {
        command.name: await command.get_translated_payload(world.bot.tree, world.bot.tree.translator)
        for command in world.bot.tree.get_commands()
        if command.name in wanted and world.bot.tree.translator is not None
    }
    assert set(locales) == wanted
    for payload in locales.values():
        assert payload["name_localizations"]["ja"]
        assert payload["description_localizations"]["ja"]


@pytest.mark.own
async def test_the_old_game_has_its_own_ranks_and_reach(world: World) -> None:
    world.settings = world.settings.model_copy(update={"default_region": "jp"})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    for name, options in COMMANDS.items():
        reply = await alice.slash(world.discord.channel, name, **options)
        assert_within_limits(reply)
        assert "jp2" not in reply.everything
    plan = await alice.slash(world.discord.channel, "plan")
    assert "The recent slot is taken as it is." in plan.everything
