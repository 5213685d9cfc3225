"""simcord's page, kept live: the chat that a browser shows.

simcord publishes its page when a test says so. Here it is published whenever something changed, actions of
several tabs take turns, and the workbench around the chat is put away. Together with `bot.demo.simulator`
this is all that knows the inside of simcord.
"""
# ruff: noqa: SLF001 - see bot.demo.simulator
# pyright: reportPrivateUsage=false

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, Final, Literal, TypeAlias

from aiohttp import web
from pydantic import ValidationError
from simcord import ChannelHandle, MemberActor, ResponseMessage, SetupError
from simcord.backend.models import Message
from simcord.enums import AppCommandType
from simcord.preview import Preview
from simcord.preview._markdown import _FIELD_POLICIES
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer

from bot.demo import days, menus, patches
from bot.demo.localised import Command, ShownCommand, localise
from bot.demo.simulator import Simulator

Reason: TypeAlias = Literal[
    "initial", "refresh", "snapshot", "navigation", "query", "presentation", "action", "capture"
]
NextDay: TypeAlias = Callable[[], Awaitable[None]]
"""Lets a day go by everywhere but on Discord."""
ENGLISH: Final = "en-US"
"""The language in which the bot registers its commands."""

OWN_ACTIONS: Final = frozenset({"run_command", "send_message", "modal_submit"})
"""What a person does at the end of the channel, wherever they were reading."""

logger = logging.getLogger(__name__)

PUBLISH_SECONDS: Final = 0.1
"""Changes that come together are shown together."""
KEPT_MESSAGES: Final = 60
"""Publishing costs about a millisecond for each message."""
CAPABILITY: Final = "demo"
"""The part of the address after `#`; fixed, so that the address can be bookmarked. The page is for this machine only."""

EMBED_BODIES: Final = ("embed_description", "embed_field_value")
"""Parts of an embed in which Discord shows mentions and small print as it does in a message; simcord does not."""


class _Server(PreviewServer):
    """Serves the page with the demo's patches and scripts."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {
        **PreviewServer._STATIC_FILES,
        **{
            path: str(script) for path, script in patches.SCRIPTS.items()
        },  # absolute, so not in simcord's directory
    }

    async def _static(self, request: web.Request) -> web.Response:
        response = await super()._static(request)
        if request.path in patches.PATCHES or request.path == patches.STYLE_PATH:
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
        for part in EMBED_BODIES:
            _FIELD_POLICIES[part] |= {"mentions": True, "commands": True, "subtext": True}
        self.capability = CAPABILITY
        self._server = _Server(self, port)
        self._simulator = simulator
        self._next_day = next_day
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        simulator.watch(self._changed.set)

    def follow_newest(self) -> None:
        """Let tabs open at the newest message."""
        for page in self._pages.values():
            _follow_newest(page)

    async def keep_live(self) -> None:
        """Show every change in all open tabs, for ever."""
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
            if page.id in self._pages:  # publishing one may close another that expired
                self._publish(page, reason="refresh")

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        page = self._get_page(context_id)
        if not isinstance(body, dict):  # whatever was posted arrives here
            raise SetupError(type(body).__name__)
        if body.get("kind") == menus.KIND:
            return await self._menu(page, body)
        if body.get("kind") == days.KIND:
            return await self._let_a_day_go_by()
        async with self._turn:
            if "published_revision" in body:  # it was published anew since the person looked: let them act
                body = {**body, "published_revision": page.revision}
            result = await super()._action(context_id, body)
            if body.get("kind") == "viewer":
                _follow_newest(page)
            self._changed.set()
            return result

    async def _let_a_day_go_by(self) -> dict[str, Any]:
        """Let a day go by for everybody. Raises: SetupError where nobody has said how."""
        if self._next_day is None:
            raise SetupError(days.KIND)
        async with self._turn:
            await self._next_day()
            self._simulator.backend.clock.advance(days.DAY.total_seconds())
            self._changed.set()
        return {}

    async def _menu(self, page: _Page, body: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the script of the menus as the person who looks. Raises: SetupError, BackendError for what cannot be."""
        try:
            asked = menus.MenuQuestion.model_validate(body)
        except ValidationError as error:
            raise SetupError(str(error)) from error
        message = self._target_message(page, asked.message_id)  # refuses what this person cannot see
        target: MemberActor | ResponseMessage
        if asked.part == "message":
            target = ResponseMessage(self._simulator, message)
        else:
            target = self._member_handle(page, _person_of(message, asked.part))
        if asked.chosen is not None:
            _follow_newest(page)
            await page.viewer.context_menu(self.channel, asked.chosen, target)
            return {}
        commands = self._simulator.backend.visible_commands(
            user_id=page.viewer.id,
            channel_id=page.channel_id,
            type=AppCommandType.MESSAGE if asked.part == "message" else AppCommandType.USER,
        )
        locale = self._simulator.locales.get(page.viewer.id, ENGLISH)
        known = [Command.model_validate(each) for each in commands]
        return {"commands": [{"name": each.name, "shown": each.name_in(locale)} for each in known]}

    def _prepare_action(self, page: _Page, kind: str, body: Mapping[str, Any]) -> Any:
        if kind == "send_message" and isinstance(content := body.get("content"), str):
            # Discord's own clients send a mention as an id; whoever types "@Kiroku" here means the same.
            bot = self._simulator.backend.bot_user
            body = {**body, "content": content.replace(f"@{bot.name}", f"<@{bot.id}>")}
        plan = super()._prepare_action(page, kind, body)
        if kind in OWN_ACTIONS:
            _follow_newest(page)
        return plan

    def _open_page(self, viewer_id: Any = None, target_id: Any = None) -> _Page:
        if len(self._pages) > self._MAX_PAGES:
            forgotten = min(self._browser_pages(), key=lambda page: page.last_activity)
            self._close_page(forgotten.id)
        del target_id  # always at the newest message, also after a reload
        return super()._open_page(viewer_id)

    def _publish(self, page: _Page, *, reason: Reason = "action") -> None:
        super()._publish(page, reason=reason)
        locale = self._simulator.locales.get(page.viewer.id, ENGLISH)
        page.snapshot["profile"]["locale"] = locale  # in which the page writes dates and times
        if locale == ENGLISH:
            return
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

    def _browser_pages(self) -> list[_Page]:
        return [page for page in self._pages.values() if page is not self._python]


def _person_of(message: Message, part: Literal["author", "asker"]) -> int:
    """Return who wrote a message, or used the command that it answers. Raises: SetupError where it answers none."""
    if part == "author":
        return message.author_id
    if message.interaction_metadata is None:
        raise SetupError(part)
    return int(message.interaction_metadata["user"]["id"])


def _follow_newest(page: _Page) -> None:
    page.target_id = page.window_end_id = None


@asynccontextmanager
async def live_page(
    simulator: Simulator,
    channel: ChannelHandle,
    viewers: Sequence[MemberActor],
    *,
    port: int,
    zone: str,
    next_day: NextDay | None = None,
) -> AsyncGenerator[LivePage]:
    """Serve the page on this machine. Raises: SetupError where the port is taken."""
    page = LivePage(simulator, channel, viewers, port=port, zone=zone, next_day=next_day)
    async with page, asyncio.TaskGroup() as tasks:
        page.follow_newest()
        publisher = tasks.create_task(page.keep_live())
        try:
            yield page
        finally:
            publisher.cancel()
