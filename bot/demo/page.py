"""simcord's page, kept up to date: the chat in a browser.

simcord publishes its page when a test requests it. Here it is published after every change, actions of several
tabs take turns, and the workbench around the chat is hidden. Only this module, `bot.demo.simulator` and
`bot.demo.markdown` use internals of simcord.
"""
# ruff: noqa: SLF001 - see bot.demo.simulator
# pyright: reportPrivateUsage=false

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, ClassVar, Final, Literal, TypeAlias, cast

from aiohttp import web
from pydantic import ValidationError
from simcord import ChannelHandle, MemberActor, ResponseMessage, SetupError, UserHandle
from simcord.backend.models import Message
from simcord.enums import AppCommandType
from simcord.preview import Preview
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer

from bot.demo import days, markdown, menus, patches, tries, words
from bot.demo.localised import Command, ShownCommand, localise
from bot.demo.simulator import Simulator
from bot.ui.language.text import Languages

Reason: TypeAlias = Literal[
    "initial", "refresh", "snapshot", "navigation", "query", "presentation", "action", "capture"
]
NextDay: TypeAlias = Callable[[], Awaitable[None]]
"""A function that lets a day pass everywhere except on Discord."""
ENGLISH: Final = "en-US"
"""The locale in which the bot registers its commands."""

OWN_ACTIONS: Final = frozenset({"run_command", "send_message", "modal_submit"})
"""The actions that move a person to the end of the channel, wherever they were reading."""

logger = logging.getLogger(__name__)

PUBLISH_SECONDS: Final = 0.1
"""The time in seconds for which changes are collected and then shown together."""
KEPT_MESSAGES: Final = 60
"""The number of newest messages kept; publishing takes about a millisecond for each."""
CAPABILITY: Final = "demo"
"""The part of the address after `#`; fixed, so that it can be bookmarked. Only this machine can reach the page."""

WORDS_PATH: Final = "/words.json"
TRIES_PATH: Final = "/tries.json"
DATA: Final = (WORDS_PATH, TRIES_PATH)
"""The paths of data that the demo's scripts request."""

_acting_in: ContextVar[ChannelHandle] = ContextVar("acting_in")
"""The conversation of the current action; simcord's page has only one."""

_MENTIONS: Final = frozenset({"players"})
"""The options of commands in which members are mentioned as in a message."""


class _Server(PreviewServer):
    """Serves the page with the demo's patches and scripts."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {
        **PreviewServer._STATIC_FILES,
        **{
            path: str(script) for path, script in patches.SCRIPTS.items()
        },  # absolute, and so not in simcord's folder
        **dict.fromkeys(DATA, "backend-diagnostics.json"),  # a placeholder: they are answered in its place
    }
    preview: "LivePage"

    async def _static(self, request: web.Request) -> web.Response:
        response = await super()._static(request)
        if request.path == WORDS_PATH:
            response.text = json.dumps(words.dictionary(self.preview.languages))
        if request.path == TRIES_PATH:
            response.text = json.dumps(self.preview.tries(request.query.get("language", "")))
        if request.path in patches.CHANGED:
            response.text = patches.patched(request.path, response.text)
        return response


class LivePage(Preview):
    """The chat page for some members of a channel; every browser tab has its own view of it."""

    _PAGE_LEASE_SECONDS: ClassVar[float] = 7 * 86400.0  # a laptop may sleep over a weekend

    def __init__(
        self,
        simulator: Simulator,
        channel: ChannelHandle,
        viewers: Sequence[MemberActor],
        *,
        port: int,
        zone: str,
        next_day: NextDay | None = None,
    ) -> None:
        super().__init__(
            simulator,
            channel,
            tuple(viewers),
            layout="channel",
            display="responsive",
            width=1280,
            height=900,
            locale="en-US",
            timezone=zone,
            presentation_time=None,
            assets=None,
            port=port,
        )
        self._home = channel
        self.languages = Languages()
        markdown.read_as_discord()
        self.capability = CAPABILITY
        self._server = _Server(self, port)
        self._simulator = simulator
        self._next_day = next_day
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        simulator.watch(self._changed.set)

    @property
    def channel(self) -> ChannelHandle:
        """The conversation of the current action; the server's channel if there is none."""
        return _acting_in.get(self._home)

    @channel.setter
    def channel(self, channel: ChannelHandle) -> None:
        self._home = channel

    def known_commands(self, kind: AppCommandType = AppCommandType.CHAT_INPUT) -> list[Command]:
        """Return all commands of a kind that the bot has registered."""
        found = self._simulator.backend.visible_commands(
            user_id=self.viewers[0].id, channel_id=self._home.id, type=kind
        )
        return [Command.model_validate(each) for each in found]

    def tries(self, language: str) -> list[tries.TryGroup]:
        """Return the things to try, for side.js."""
        home = self._home
        leaves = {name: leaf for each in self.known_commands() for name, leaf in each.leaves()}
        names = {str(each.id): each.user.global_name or each.name for each in self.viewers}
        entities = [{"typed": f"@{name}", "id": number, "name": name} for number, name in names.items()]
        return tries.listed(
            self.languages[language],
            self._simulator.backend.clock.now(),
            leaves,
            {
                "person": [each.name for each in self.known_commands(AppCommandType.USER)],
                "message": [each.name for each in self.known_commands(AppCommandType.MESSAGE)],
            },
            [*entities, {"typed": f"#{home.name}", "id": str(home.id), "name": str(home.name)}],
        )

    def follow_newest(self) -> None:
        """Make tabs show the newest message."""
        for page in self._pages.values():
            _follow_newest(page)

    async def keep_live(self) -> None:
        """Show every change in all open tabs; runs until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(PUBLISH_SECONDS)
            self._changed.clear()
            try:
                self._publish_all()
            except Exception:
                logger.exception("The page could not be brought up to date")

    def _publish_all(self) -> None:
        self._simulator.trim(KEPT_MESSAGES)
        self._advance_presentation_time()
        for page in tuple(self._pages.values()):
            if page.id in self._pages:  # publishing one page may close another that has expired
                self._publish(page, reason="refresh")

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        page = self._get_page(context_id)
        if not isinstance(body, dict):  # any posted JSON arrives here
            raise SetupError(type(body).__name__)
        if body.get("kind") == menus.KIND:
            return await self._menu(page, body)
        if body.get("kind") == days.KIND:
            return await self._let_a_day_go_by()
        async with self._turn:
            if "published_revision" in body:  # allow actions on a page that was published again meanwhile
                body = {**body, "published_revision": page.revision}
            token = _acting_in.set(self._conversation(page, body))
            try:
                result = await super()._action(context_id, body)
            finally:
                _acting_in.reset(token)
            if body.get("kind") == "viewer":
                _follow_newest(page)
            self._changed.set()
            return result

    def _conversation(self, page: _Page, body: Mapping[str, Any]) -> ChannelHandle:
        """Return the conversation in which somebody acts, or the one that they open."""
        is_direct = page.channel_id != self._home.id
        person = page.viewer.id
        if body.get("kind") == "viewer":
            is_direct = bool(body.get("direct", is_direct))
            person = super()._viewer(body.get("viewer_id")).id
        return self._simulator.direct(person) if is_direct else self._home

    def _viewer(self, viewer_id: Any) -> MemberActor | UserHandle:
        """Return the viewer, in the server or in direct messages. Raises: SetupError."""
        member: MemberActor = super()._viewer(viewer_id)
        return member if self.channel.guild is not None else member.user

    async def _let_a_day_go_by(self) -> dict[str, Any]:
        """Let a day pass for everybody. Raises: SetupError if there is no `NextDay`."""
        if self._next_day is None:
            raise SetupError(days.KIND)
        async with self._turn:
            await self._next_day()
            self._simulator.backend.clock.advance(days.DAY.total_seconds())
            self._changed.set()
        return {}

    async def _menu(self, page: _Page, body: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a request of menus.js for the viewer. Raises: SetupError, BackendError if it is not possible."""
        try:
            asked = menus.MenuQuestion.model_validate(body)
        except ValidationError as error:
            raise SetupError(str(error)) from error
        message = self._target_message(page, asked.message_id)  # refuses messages that this person cannot see
        person = None if asked.part == "message" else _person_of(message, asked.part)
        if asked.chosen is not None:
            _follow_newest(page)
            await self._choose(page, asked.chosen, message, person)
            return {}
        commands = self._simulator.backend.visible_commands(
            user_id=page.viewer.id,
            channel_id=page.channel_id,
            type=AppCommandType.MESSAGE if asked.part == "message" else AppCommandType.USER,
        )
        locale = self._simulator.locales.get(page.viewer.id, ENGLISH)
        known = [Command.model_validate(each) for each in commands]
        return {"commands": [{"name": each.name, "shown": each.name_in(locale)} for each in known]}

    async def _choose(self, page: _Page, chosen: str, message: Message, person: int | None) -> None:
        """Use a command of a person's or a message's menu, as the viewer. Raises: SetupError if that is not possible."""
        whole = ResponseMessage(self._simulator, message)
        if isinstance(page.viewer, UserHandle):
            user = None if person is None else self._simulator.backend.get_user(person)
            about = UserHandle(self._simulator, user) if user else whole
            await self._simulator.direct_menu(page.viewer, chosen, about)
            return
        member = None if person is None else self._member_handle(page, person)
        await page.viewer.context_menu(self.channel, chosen, member or whole)

    def _prepare_action(self, page: _Page, kind: str, body: Mapping[str, Any]) -> Any:
        # Discord's clients send mentions as ids; "@Kiroku" typed here has to become one too.
        if kind == "send_message" and isinstance(content := body.get("content"), str):
            body = {**body, "content": self._with_ids(content)}
        if kind == "run_command" and isinstance(options := body.get("options"), Mapping):
            sent = {
                name: self._with_ids(typed) if name in _MENTIONS and isinstance(typed, str) else typed
                for name, typed in cast("Mapping[str, Any]", options).items()
            }
            body = {**body, "options": sent}
        plan = super()._prepare_action(page, kind, body)
        if kind in OWN_ACTIONS:
            _follow_newest(page)
        if kind != "viewer":
            return plan

        async def turn(action: Any, cursor: int) -> dict[str, Any]:
            page.channel_id = self.channel.id
            return await plan(action, cursor)

        return turn

    def _with_ids(self, typed: str) -> str:
        names = {each.user.global_name or each.name: each.id for each in self.viewers}
        bot = self._simulator.backend.bot_user
        for name, number in {**names, bot.name: bot.id}.items():
            typed = typed.replace(f"@{name}", f"<@{number}>")
        return typed

    def _open_page(self, viewer_id: Any = None, target_id: Any = None) -> _Page:
        if len(self._pages) > self._MAX_PAGES:
            forgotten = min(self._browser_pages(), key=lambda page: page.last_activity)
            self._close_page(forgotten.id)
        del target_id  # opens always at the newest message, also after a reload
        return super()._open_page(self._opener(viewer_id))

    def _opener(self, wanted: Any) -> int:
        """Return the first viewer: the previous one, or somebody with the language of the page."""
        for each in self.viewers:
            if wanted in (str(each.id), self._simulator.locales.get(each.id)):  # `wanted` may be of any type
                return each.id
        return self.viewers[0].id

    def _conversations(self, page: _Page) -> list[dict[str, Any]]:
        """Return the viewer's conversations, each with the newest message that they may see."""
        backend = self._simulator.backend
        direct = self._simulator.direct(page.viewer.id)
        return [
            {
                "id": str(each.id),
                "name": backend.bot_user.name if each is direct else each.name,
                "direct": each is direct,
                "newest": str(
                    max(
                        (
                            message.id
                            for message in backend.messages.get(each.id, {}).values()
                            if message.visible_to(page.viewer.id)
                        ),
                        default=0,
                    )
                ),
            }
            for each in (self._home, direct)
        ]

    def _publish(self, page: _Page, *, reason: Reason = "action") -> None:
        super()._publish(page, reason=reason)
        locale = self._simulator.locales.get(page.viewer.id, ENGLISH)
        page.snapshot["profile"]["locale"] = locale  # the page formats dates and times in it
        page.snapshot["conversations"] = self._conversations(page)
        if locale == ENGLISH:
            return
        self._localise_headers(page, locale)
        roots = {
            str(root["id"]): Command.model_validate(root)
            for root in self._simulator.backend.visible_commands(
                user_id=page.viewer.id, channel_id=page.channel_id
            )
        }
        entries = page.command_catalog["entries"]
        for number, entry in enumerate(entries):
            shown = ShownCommand.model_validate(entry)
            localise(shown, roots[entry["commandId"]], locale)
            entries[number] = shown.model_dump()

    def _localise_headers(self, page: _Page, locale: str) -> None:
        """Show the commands that messages answer by their names in the viewer's locale."""
        kinds = (AppCommandType.CHAT_INPUT, AppCommandType.USER, AppCommandType.MESSAGE)
        known = {(kind.name.lower(), each.name): each for kind in kinds for each in self.known_commands(kind)}
        messages: Mapping[str, dict[str, Any]] = page.snapshot["messages"]
        for message in messages.values():
            header: dict[str, Any] = message.get("interaction_header") or {}
            kind, name = str(header.get("command_type")), str(header.get("name"))
            first, *path = name.split(" ") if kind == "chat_input" else [name]
            if (kind, first) in known:
                header["name"] = " ".join(each.name_in(locale) for each in known[kind, first].descend(path))

    def _browser_pages(self) -> list[_Page]:
        return [page for page in self._pages.values() if page is not self._python]


def _person_of(message: Message, part: menus.Part) -> int:
    """Return who wrote a message, or who used the command that it answers. Raises: SetupError if it answers none."""
    if part == "author":
        return message.author_id
    if message.interaction_metadata is None:
        raise SetupError(part)
    return int(message.interaction_metadata["user"]["id"])


def _follow_newest(page: _Page) -> None:
    page.target_id = page.window_end_id = None


@asynccontextmanager
async def served(page: LivePage) -> AsyncGenerator[LivePage]:
    """Serve a page on this machine. Raises: SetupError if the port is taken."""
    async with page, asyncio.TaskGroup() as tasks:
        page.follow_newest()
        publisher = tasks.create_task(page.keep_live())
        try:
            yield page
        finally:
            publisher.cancel()
