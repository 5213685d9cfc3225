"""A bot of discord.py and nothing else, which answers each command with what ours answered: `bare.py ADDRESS FILE`.

The file has our bot's commands as it registers them, and by command what it sent: each answer's requests, in order.
"""

import asyncio
import base64
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from yarl import URL

from bot.demo.redirected import redirected

Json = dict[str, Any]
TYPES: Mapping[int, Any] = {
    3: str, 4: int, 5: bool, 6: discord.User, 7: app_commands.AppCommandChannel, 8: discord.Role, 10: float,
}  # fmt: skip
COMMANDS = (1, 2)
EPHEMERAL = 64
MESSAGE, DEFERRED = 4, 5
SELECT = 3
MENU = 1


def key_of(name: str, options: Mapping[str, Any]) -> str:
    """Return under which key the answer to a command stands."""
    return " ".join([name, *sorted(options)])


class Answers:
    """What our bot sent, decoded once."""

    def __init__(self, file: Path) -> None:
        told = json.loads(file.read_bytes())
        self.commands: Sequence[Json] = told["commands"]
        self.sent: Mapping[str, Sequence[Json]] = told["answers"]
        self.files = {
            key: [[(name, base64.b64decode(each)) for name, each in one["files"].items()] for one in sent]
            for key, sent in self.sent.items()
        }
        self.choices: Sequence[Json] = told["choices"]


def view_of(rows: Sequence[Json]) -> discord.ui.View | None:
    """Return buttons and menus as a bot would make them."""
    if not rows:
        return None
    view = discord.ui.View(timeout=None)
    for row in rows:
        for each in row["components"]:
            view.add_item(_menu(each) if each["type"] == SELECT else _button(each))
    return view


def _menu(each: Json) -> discord.ui.Select[discord.ui.View]:
    options = [discord.SelectOption.from_dict(option) for option in each["options"]]
    return discord.ui.Select(
        custom_id=each["custom_id"], placeholder=each.get("placeholder"), options=options
    )


def _button(each: Json) -> discord.ui.Button[discord.ui.View]:
    emoji = each.get("emoji")
    return discord.ui.Button(
        style=discord.ButtonStyle(each["style"]),
        label=each.get("label"),
        custom_id=each.get("custom_id"),
        url=each.get("url"),
        disabled=each.get("disabled", False),
        emoji=discord.PartialEmoji.from_dict(emoji) if emoji else None,
    )


class Bare(discord.Client):
    """Has the commands that ours has, and says what ours said."""

    def __init__(self, answers: Answers) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self._answers = answers
        self.tree = app_commands.CommandTree(self)
        for command in answers.commands:
            if command.get("type", MENU) == MENU:
                self.tree.add_command(self._made(command, command["name"]))

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()

    def _made(self, told: Json, name: str) -> Any:
        inner = [each for each in told.get("options", ()) if each["type"] in COMMANDS]
        if inner:
            group = app_commands.Group(name=told["name"], description="-")
            for each in inner:
                group.add_command(self._made(each, f"{name} {each['name']}"))
            return group
        return self._command(told, name)

    def _command(self, told: Json, name: str) -> Any:
        options = {f"option{number}": each for number, each in enumerate(told.get("options", ()))}

        async def callback(interaction: discord.Interaction, **given: Any) -> None:
            await self._answer(
                interaction,
                key_of(name, {options[key]["name"]: given[key] for key in given if given[key] is not None}),
            )

        place = inspect.Parameter.POSITIONAL_OR_KEYWORD
        callback.__signature__ = inspect.Signature([  # pyright: ignore[reportFunctionMemberAccess]
            inspect.Parameter("interaction", place),
            *(
                inspect.Parameter(key, place, annotation=TYPES[each["type"]] | None, default=None)
                for key, each in options.items()
            ),
        ])  # fmt: skip
        if options:
            app_commands.rename(**{key: each["name"] for key, each in options.items()})(callback)
        made: Any = app_commands.Command
        command = made(name=told["name"], description="-", callback=callback)
        for key, each in options.items():
            if each.get("autocomplete"):
                command.autocomplete(key)(self._suggest)
        return command

    async def _suggest(
        self, _interaction: discord.Interaction, _typed: str
    ) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=each["name"], value=each["value"]) for each in self._answers.choices]

    async def _answer(self, interaction: discord.Interaction, key: str) -> None:
        for number, sent in enumerate(self._answers.sent[key]):
            body: Json = sent["body"] or {}
            data: Json = body.get("data", {}) if "type" in body else body
            is_private = bool(data.get("flags", 0) & EPHEMERAL)
            if body.get("type") == DEFERRED:
                await interaction.response.defer(ephemeral=is_private, thinking=True)
                continue
            shown: Json = {"embeds": [discord.Embed.from_dict(each) for each in data.get("embeds") or ()]}
            if (view := view_of(data.get("components") or ())) is not None:
                shown["view"] = view
            files = [discord.File(BytesIO(each), name) for name, each in self._answers.files[key][number]]
            if sent["method"] == "PATCH":
                await interaction.edit_original_response(attachments=files, **shown)
            elif body.get("type") == MESSAGE:
                await interaction.response.send_message(files=files, ephemeral=is_private, **shown)
            else:
                await interaction.followup.send(files=files, ephemeral=is_private, **shown)


async def main() -> None:
    with redirected(URL(sys.argv[1])):
        async with Bare(Answers(Path(sys.argv[2]))) as bot:
            await bot.start("bare")


if __name__ == "__main__":
    asyncio.run(main())
