"""The check that every test's replies go through does notice; and the commands themselves are within the limits."""

from typing import Any, cast

import discord
import pytest
from limits import check_choices, check_command, check_components, check_embeds, check_form, check_message
from world import World

BUTTON = {"type": 2, "custom_id": "a", "label": "b"}


@pytest.mark.parametrize(
    "embed",
    [
        discord.Embed(title="x" * 257),
        discord.Embed(description="at most ≤ 156 J"),
        discord.Embed(description="x" * 4097),
        discord.Embed().add_field(name="x" * 257, value="x"),
        discord.Embed().add_field(name="x", value="x" * 1025),
        discord.Embed().add_field(name="x", value=""),
        discord.Embed().add_field(name="x", value=" \n"),
        discord.Embed().add_field(name="\u3000", value="x"),
        discord.Embed().set_footer(text="x" * 2049),
        discord.Embed(title="x").set_footer(text=None),
        discord.Embed(description="x" * 4000).set_footer(text="x" * 2001),
    ],
)
def test_a_wrong_embed_is_noticed(embed: discord.Embed) -> None:
    with pytest.raises(AssertionError):
        check_embeds([embed])


@pytest.mark.parametrize(
    "rows",
    cast(
        "list[Any]",
        [
            [{"components": [BUTTON, BUTTON]}],
            [{"components": [{**BUTTON, "custom_id": "x" * 101}]}],
            [{"components": [{**BUTTON, "label": "x" * 81}]}],
            [{"components": []}],
            [{"components": [{**BUTTON, "options": []}]}],
            [{"components": [{**BUTTON, "options": [{"label": "x", "value": "x" * 101}]}]}],
            [{"components": [{**BUTTON, "options": [{"label": "\u3000", "value": "x"}]}]}],
        ],
    ),
)
def test_wrong_components_are_noticed(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(AssertionError):
        check_components(rows)


def test_wrong_messages_forms_and_choices_are_noticed() -> None:
    with pytest.raises(AssertionError):
        check_message("x" * 2001, (), (), ())
    with pytest.raises(AssertionError):
        check_message("", [discord.Embed().set_image(url="attachment://lost.png")], (), ())
    with pytest.raises(AssertionError):
        check_form({"title": "x" * 46, "custom_id": "x", "components": [{}]})
    with pytest.raises(AssertionError):
        check_choices([{"name": "x" * 101, "value": "x"}])


async def test_every_command_is_within_the_limits_in_every_language(world: World) -> None:
    translator = world.bot.tree.translator
    assert translator is not None
    commands: list[Any] = [
        *world.bot.tree.get_commands(),
        *world.bot.tree.get_commands(type=discord.AppCommandType.user),
    ]
    assert len(commands) > 10
    for command in commands:
        wire = await command.get_translated_payload(world.bot.tree, translator)
        check_command(wire)
        names = wire["name_localizations"]
        assert {"ja", "ko"} <= names.keys(), f"{command.name} has no name of its own"
        assert names.get("zh-CN") == names.get(
            "zh-TW"
        )  # Discord itself puts neither in the place of the other


async def test_every_command_but_those_of_a_server_works_everywhere(world: World) -> None:
    menus = [
        *world.bot.tree.get_commands(type=discord.AppCommandType.user),
        *world.bot.tree.get_commands(type=discord.AppCommandType.message),
    ]
    assert len(menus) >= 4
    for command in [*world.bot.tree.get_commands(), *menus]:
        wire = command.to_dict(world.bot.tree)
        anywhere = command.name not in {"alias", "daily", "feed", "leaderboard", "setup"}
        assert wire["contexts"] == ([0, 1, 2] if anywhere else [0]), command.name
        assert wire["integration_types"] == ([0, 1] if anywhere else [0])
