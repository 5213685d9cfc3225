"""A bot with one of everything that Kiroku uses of Discord, to try the simulated one."""

import asyncio
import io
import re
from typing import Self, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands
from PIL import Image

Interaction: TypeAlias = "discord.Interaction[Toy]"
FRUIT = ("apple", "banana", "せんぼんざくら")


class Toy(commands.Bot):
    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))
        self.gate = asyncio.Event()
        self.tree.error(on_error)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Turn)
        await self.add_cog(Toys())
        for menu in MENUS:
            self.tree.add_command(menu)
        await self.tree.set_translator(Translator())
        await self.tree.sync()


async def on_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    text = f"Sorry: {error.__cause__}"
    if not interaction.response.is_done():
        await interaction.response.send_message(text, ephemeral=True)
        return
    await interaction.delete_original_response()
    await interaction.followup.send(text, ephemeral=True)


class Translator(app_commands.Translator):
    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: object
    ) -> str | None:
        del context
        return {"Greet": "挨拶する"}.get(string.message) if locale is discord.Locale.japanese else None


async def greet(interaction: Interaction, member: discord.Member) -> None:
    await interaction.response.defer()
    await interaction.client.gate.wait()
    await interaction.followup.send(f"{interaction.user.display_name} greets {member.display_name}")


async def read(interaction: Interaction, message: discord.Message) -> None:
    files = [file.filename for file in message.attachments]
    await interaction.response.send_message(f"It says: {message.content} {files}", ephemeral=True)


async def ignore(_interaction: Interaction, _member: discord.Member) -> None:
    pass


MENUS = (
    app_commands.ContextMenu(name=app_commands.locale_str("Greet"), callback=greet),
    app_commands.ContextMenu(name="Ignore", callback=ignore),
    app_commands.ContextMenu(name="Read", callback=read),
)


class Survey(discord.ui.Modal, title="Survey"):
    word: discord.ui.TextInput[Self] = discord.ui.TextInput(label="A word", custom_id="word")
    colour: discord.ui.Label[Self] = discord.ui.Label(
        text="A colour",
        component=discord.ui.Select(
            custom_id="colour",
            options=[
                discord.SelectOption(label="Red", value="red", default=True),
                discord.SelectOption(label="Blue", value="blue"),
            ],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)  # without `thinking` it stays public
        chosen = self.colour.component
        assert isinstance(chosen, discord.ui.Select)
        await interaction.followup.send(f"{self.word.value} in {chosen.values[0]}")


class Turn(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"turn:(?P<page>\d+)"):
    """Its id carries all that it needs, so it works after a restart."""

    def __init__(self, page: int) -> None:
        super().__init__(discord.ui.Button(label="Next", custom_id=f"turn:{page}"))
        self.page = page

    @classmethod
    async def from_custom_id(cls, _interaction: object, _item: object, match: re.Match[str]) -> Self:
        return cls(int(match["page"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(
            embed=discord.Embed(title=f"Page {self.page}"), view=pages(self.page + 1)
        )


class Slots(discord.ui.Select[discord.ui.View]):
    def __init__(self) -> None:
        super().__init__(
            custom_id="slots", placeholder="Slot", options=[discord.SelectOption(label="B", value="b")]
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content=f"slot {self.values[0]}")


def pages(following: int) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(Turn(following))
    view.add_item(Slots())
    return view


class Toys(commands.Cog):
    @app_commands.command()
    async def fruit(self, interaction: Interaction, name: str, eater: discord.Member | None = None) -> None:
        """Eat a fruit."""
        await interaction.response.defer()
        embed = discord.Embed(title=name, description=f"eaten by {(eater or interaction.user).mention}")
        await interaction.followup.send(embed=embed)

    @fruit.autocomplete("name")
    async def fruits(self, _interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=each.title(), value=each) for each in FRUIT if each.startswith(typed)
        ]

    @app_commands.command()
    async def private(self, interaction: Interaction) -> None:
        """Whisper."""
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send("first")
        await interaction.followup.send("second", ephemeral=True)

    @app_commands.command(name="form")
    async def form(self, interaction: Interaction) -> None:
        """Ask something."""
        await interaction.response.send_modal(Survey())

    @app_commands.command()
    async def board(self, interaction: Interaction) -> None:
        """Show pages."""
        await interaction.response.defer()
        await interaction.followup.send(embed=discord.Embed(title="Page 1"), view=pages(2))

    @app_commands.command()
    async def boom(self, interaction: Interaction) -> None:
        """Fail after a public deferral."""
        await interaction.response.defer()
        raise ValueError("no such fruit")

    @app_commands.command()
    async def slow(self, interaction: Interaction) -> None:
        """Wait for the gate."""
        await interaction.response.defer()
        await interaction.client.gate.wait()
        await interaction.followup.send("done")

    @app_commands.command()
    async def whoami(self, interaction: Interaction) -> None:
        """Say what Discord said."""
        manager = interaction.permissions.manage_guild
        await interaction.response.send_message(
            f"{interaction.locale} {interaction.guild_locale} manager={manager}"
        )

    @app_commands.command()
    async def picture(self, interaction: Interaction) -> None:
        """Show a picture."""
        await interaction.response.defer()
        await interaction.followup.send(embed=discord.Embed(title="Picture"), file=picture_file())

    @app_commands.command()
    async def lazy(self, _interaction: Interaction) -> None:
        """Never answer."""

    @app_commands.command()
    async def shout(self, interaction: Interaction, where: discord.TextChannel) -> None:
        """Post in a channel."""
        await interaction.response.send_message("posting", ephemeral=True)
        await where.send("hello, everyone")


def picture_file() -> discord.File:
    buffer = io.BytesIO()
    Image.new("RGB", (400, 300), "teal").save(buffer, "PNG")
    buffer.seek(0)
    return discord.File(buffer, "dot.png", description="a teal rectangle")
