"""People on a simulated Discord, for tests that drive the real bot over real sockets.

    reply = await alice.slash(channel, "best", member=bob)
    assert reply.is_private
    reply = await alice.click(reply, "Next")

Nothing here sleeps: every wait ends with the change that it waits for, or fails with the bot's last log lines.
"""

import asyncio
import re
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import discord
import reading
from limits import check_choices, check_message
from logbook import LogBook
from patience import PATIENT_SECONDS
from reading import Post, Reply, is_answered, read_post
from simcord import (
    ChannelHandle,
    GuildHandle,
    InteractionResult,
    MemberActor,
    ResponseMessage,
    RoleHandle,
    UserHandle,
)

from bot.demo.gateway import LocalDiscord, SimulatedCall, local_discord
from bot.ui.kit.icons import emoji_names

HEARTBEAT_MILLISECONDS = 3_600_000
"""None in a test: the loop of a world that a file shares stands still while tests with one of their own run, and
discord.py would take the connection for dead, and make another one under the next test."""
MANAGER = discord.Permissions(manage_guild=True)


Clickable: TypeAlias = Reply | Post


class Server:
    """A Discord server."""

    def __init__(self, guild: GuildHandle) -> None:
        self.guild = guild
        self.id = guild.id

    def channel(self, name: str, *, topic: str | None = None) -> "Channel":
        return Channel(self.guild.create_text_channel(name, topic=topic))


class Channel:
    """A text channel, or what one person and the bot write to each other alone."""

    def __init__(self, handle: ChannelHandle) -> None:
        self.handle = handle
        self.id = handle.id
        self.mention = handle.mention

    def thread(self, name: str, starter: "Person") -> "Channel":
        """Return a new thread below it."""
        self.handle._env.backend.create_thread(self.id, name, starter.id)
        return Channel(self.handle.threads[-1])

    def posts(self) -> list[discord.Message]:
        """All public messages, oldest first."""
        return self.handle.history()


Value: TypeAlias = "str | int | float | bool | Person | Channel | RoleHandle"


class Person:
    """Someone on Discord; acts in the server of the channel or message that is acted on."""

    def __init__(self, world: "SimulatedDiscord", name: str, locale: str) -> None:
        self._world = world
        self.user = world.wire.create_user(name.lower(), global_name=name)
        self.name = name
        self.id = self.user.id
        self.mention = self.user.mention
        self._members: dict[int, MemberActor] = {}
        self.speaks(locale)

    @property
    def direct(self) -> Channel:
        """The direct messages between this person and the bot."""
        return Channel(self.user.dm_channel)

    def speaks(self, locale: str) -> None:
        """Set the language of this person's Discord."""
        self._world.wire.locales[self.id] = locale

    def join(self, server: Server, *, manager: bool = False) -> None:
        roles = [server.guild.create_role("manager", permissions=MANAGER)] if manager else []
        self._members[server.id] = server.guild.add_member(self.user, roles=roles)

    def leave(self, server: Server) -> None:
        server.guild.remove_member(self._members.pop(server.id))

    async def slash(self, channel: Channel, name: str, /, **options: Value) -> Reply:
        guild = channel.handle.guild
        values = {key: _plain(value, guild and guild.id) for key, value in options.items()}
        if guild is None:
            result = await self.user.slash(name, **values)
        else:
            result = await self.in_server(guild.id).slash(channel.handle, name, **values)
        return await self._world.answer(result, f"/{name}")

    async def context_menu(
        self, channel: Channel, name: str, target: "Person | Clickable | discord.Message"
    ) -> Reply:
        actor = self._member(channel)
        if isinstance(target, Person):
            entity = target.in_server(actor.guild.id)
        else:
            entity = _post(target).handle if isinstance(target, Reply | Post) else target
        return await self._world.answer(await actor.context_menu(channel.handle, name, entity), name)

    async def autocomplete(self, channel: Channel, name: str, /, **typed: str) -> list[dict[str, object]]:
        """Type into the last option named; returns the choices offered, as name and value."""
        *filled, (option, text) = typed.items()
        if channel.handle.guild is None:
            choices = await self.user.autocomplete(name, option, text, **dict(filled))
        else:
            actor = self._member(channel)
            choices = await actor.autocomplete(channel.handle, name, option, text, **dict(filled))
        check_choices(choices)
        return choices

    async def click(self, target: Clickable, label_or_id: str) -> Reply:
        post = _post(target)
        button = post.component(label_or_id)
        before = post.handle.message.edited_at
        result = await self._on(post).click(post.handle, custom_id=button.custom_id)
        return await self._world.answer(result, f"the button {label_or_id}", before)

    async def choose(self, target: Clickable, label_or_id: str, *values: "str | Person | Channel") -> Reply:
        post = _post(target)
        menu = post.component(label_or_id)
        before = post.handle.message.edited_at
        plain = [_plain(value, self._world.guild_of(post.handle)) for value in values]
        chosen = [menu.value_of(str(value)) if menu.options else value for value in plain]
        result = await self._on(post).select(post.handle, chosen, custom_id=menu.custom_id)
        return await self._world.answer(result, f"the select {label_or_id}", before)

    async def submit(self, shown: Reply, values: Mapping[str, "str | Sequence[str] | Channel"]) -> Reply:
        """Fill in a form, by label or custom id, and send it."""
        form = shown.form
        assert form is not None, f"no form was shown: {shown.posts}"
        ids = {each.label: each.custom_id for each in form.inputs}
        filled = {
            ids.get(key, key): [value.handle] if isinstance(value, Channel) else value
            for key, value in values.items()
        }
        actor = self._in(self._world.guild_of(shown.result))
        return await self._world.answer(
            await actor.submit_modal(shown.result, filled), f"the form {form.title}"
        )

    async def say(self, channel: Channel, text: str) -> None:
        if channel.handle.guild is None:
            await self.user.send_dm(text)
        else:
            await self._member(channel).send(channel.handle, text)

    def is_in(self, guild_id: int) -> bool:
        return guild_id in self._members

    def in_server(self, guild_id: int) -> MemberActor:
        assert self.is_in(guild_id), f"{self.name} is not in that server"
        return self._members[guild_id]

    def _member(self, channel: Channel) -> MemberActor:
        guild = channel.handle.guild
        assert guild is not None, "menus and members are those of a server"
        return self.in_server(guild.id)

    def _in(self, guild_id: int | None) -> MemberActor | UserHandle:
        return self.user if guild_id is None else self.in_server(guild_id)

    def _on(self, post: Post) -> MemberActor | UserHandle:
        return self._in(self._world.guild_of(post.handle))


class SimulatedDiscord:
    """A whole small Discord with one server, one channel and at most one bot."""

    def __init__(self, local: LocalDiscord, log: LogBook) -> None:
        self.wire = local.simulator
        self._gateway = local.server
        self._log = log
        self._bot: discord.Client | None = None
        self._running: asyncio.Task[None] | None = None
        for name in emoji_names():  # as after the first start: so no world has them drawn
            self.wire.backend.create_application_emoji(name)
        self.move()

    def move(self) -> None:
        """Have a new server as home, where nobody is and nothing stands."""
        self.home = self.server("Home")
        self.channel = self.home.channel("general")

    def server(self, name: str, *, locale: str = "en-US") -> Server:
        return Server(self.wire.create_guild(name, preferred_locale=locale))

    def person(
        self, name: str, *, locale: str = "en-US", server: Server | None = None, manager: bool = False
    ) -> Person:
        person = Person(self, name, locale)
        person.join(server or self.home, manager=manager)
        return person

    async def start(self, bot: discord.Client) -> None:
        """Run the bot until it can be spoken to."""
        self._gateway.expect_bot()
        self._bot = bot
        self._running = asyncio.create_task(_run(bot))
        connected = asyncio.create_task(self._gateway.bot_connected(PATIENT_SECONDS))
        await asyncio.wait({self._running, connected}, return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            connected.cancel()
            failed, self._running = self._running, None
            await failed
        try:
            await connected
        except TimeoutError:
            raise AssertionError(f"the bot did not connect; log:\n{self._log.tail()}") from None

    async def stop(self) -> None:
        """Close the bot, if one runs."""
        if self._bot is not None and self._running is not None:
            await self._bot.close()
            await self._running
        self._bot = self._running = None

    async def restart(self, bot: discord.Client) -> None:
        """Close the bot and run another one in its place."""
        await self.stop()
        await self.start(bot)

    async def drop_connection(self) -> None:
        """Close the gateway under the bot, and wait until it is back."""
        await self._gateway.drop_connections()
        await self._gateway.bot_connected(PATIENT_SECONDS)

    def left_behind(self, channel: Channel, *controls: Mapping[str, object]) -> Post:
        """Return a message that another version of the bot has left, with a row for each control."""
        rows = [{"type": 1, "components": [control]} for control in controls]
        return read_post(self.wire.post_as_bot(channel.handle, "left behind", *rows))

    def seen(self, message: discord.Message) -> Post:
        """Return a public message as one whose buttons can be pressed."""
        kept = self.wire.backend.messages[message.channel.id][message.id]
        return read_post(ResponseMessage(self.wire, kept))

    def break_connections(self, requests: str, *, times: int = sys.maxsize) -> None:
        """Break the connection under requests of the bot such as "POST /channels/1/messages", the next `times`."""
        left = iter(range(times))
        wanted = re.compile(requests)
        self._gateway.breaks = lambda call: bool(
            wanted.search(f"{call.method} {call.path}") and next(left, None) is not None
        )

    def note_requests(self) -> list[str]:
        """Return a list of the bot's requests from now on, such as "PATCH /webhooks/1/token/messages/@original"."""
        noted: list[str] = []

        def note(call: SimulatedCall) -> bool:
            noted.append(f"{call.method} {call.path}")
            return False

        self._gateway.breaks = note
        return noted

    def deliver_twice(self) -> None:
        """Hand every interaction to the bot twice, from now on."""
        self.wire.deliveries = 2

    def delete_when(self, channel: Channel, unwanted: Callable[[discord.Message], bool]) -> None:
        """Let a moderator delete public messages in the moment in which they are unwanted."""

        def moderate() -> None:
            for message in channel.posts():
                if unwanted(message):
                    self.wire.backend.delete_message(channel.id, message.id)

        self.wire.watch(moderate)

    async def unanswered(self, action: Coroutine[object, object, object], said: str) -> None:
        """Let somebody do what gets no answer: what came of it is that the log has said something."""
        doing = asyncio.create_task(action)
        await self._log.until(said, reading.ANSWER_SECONDS)
        assert not doing.done()
        doing.cancel()

    async def answer(self, result: InteractionResult, asked: str, edited: object = None) -> Reply:
        """Wait until the bot has answered, not just acknowledged."""
        if not await self.wire.until(lambda: is_answered(result, edited), reading.ANSWER_SECONDS):
            said = "no answer" if result.acknowledged else "no acknowledgement"
            raise AssertionError(
                f"{said} to {asked} within {reading.ANSWER_SECONDS:g} s; log:\n{self._log.tail()}"
            )
        return Reply(self.wire, result)

    def content(self, file: discord.Attachment) -> bytes:
        """What is in a file that the bot sent."""
        found = self.wire.backend.cdn.get(file.url)
        assert found is not None, f"{file.filename} was not kept"
        return found

    def guild_of(self, source: InteractionResult | ResponseMessage) -> int | None:
        """Return the server in which something was said; None in direct messages."""
        channel_id = (
            source.channel_id if isinstance(source, ResponseMessage) else source._interaction.channel_id
        )
        return self.wire.backend.get_channel(channel_id).guild_id

    async def post(self, channel: Channel, after: int = 0) -> discord.Message:
        """Wait for a public message beyond the first `after`, and return it."""
        assert await self.wire.until(lambda: len(channel.posts()) > after, reading.ANSWER_SECONDS), (
            f"nothing was posted within {reading.ANSWER_SECONDS:g} s; log:\n{self._log.tail()}"
        )
        found = channel.posts()[after]
        rows = [row.to_dict() for row in found.components]
        check_message(found.content, found.embeds, rows, found.attachments)
        return found


async def _run(bot: discord.Client) -> None:
    async with bot:
        await bot.start("simulated")


def _post(target: Clickable) -> Post:
    return target.post if isinstance(target, Reply) else target


def _plain(value: Value, guild_id: int | None) -> object:
    if isinstance(value, Person):
        if guild_id is None or not value.is_in(guild_id):
            return value.user
        return value.in_server(guild_id)
    return value.handle if isinstance(value, Channel) else value


@asynccontextmanager
async def simulated_discord(log: LogBook) -> AsyncGenerator[SimulatedDiscord]:
    """Serve a Discord with nobody in it; on leaving, the bot is closed and no request was left unanswered."""
    async with local_discord() as local:
        world = SimulatedDiscord(local, log)
        try:
            yield world
        finally:
            await world.stop()
        assert not local.simulator.gaps, f"the simulated Discord could not answer: {local.simulator.gaps}"
