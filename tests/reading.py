"""What people read on the simulated Discord: messages, forms, and what came of an interaction."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import discord
from limits import check_form, check_message
from patience import PATIENT_SECONDS
from pydantic import BaseModel
from simcord import InteractionResult, ResponseMessage
from simcord.components import walk_components

from bot.demo.simulator import Simulator
from bot.ui.kit.icons import emoji_names

_ICON = re.compile(r"<:(\w+_k[0-9a-f]{8}):\d{17,20}>")

_LISTED = re.compile(r"^\*\*[^*]+\*\* (BASIC|ADVANCED|EXPERT|MASTER|ULTIMA|WORLD'S END) (.+)$", re.MULTILINE)
"""A record in a list: its number, its difficulty, its song."""

ANSWER_SECONDS = PATIENT_SECONDS
"""How long anybody waits for the bot."""


class _Option(BaseModel):
    label: str
    value: str
    default: bool = False


class _Control(BaseModel):
    """A button, select or text input as it goes over the wire."""

    custom_id: str
    label: str | None = None
    placeholder: str | None = None
    disabled: bool = False
    options: tuple[_Option, ...] = ()


class _Row(BaseModel):
    """A line of a form: a label around one control, or controls side by side."""

    label: str | None = None
    component: _Control | None = None
    components: tuple[_Control, ...] = ()


class _Modal(BaseModel):
    title: str
    components: tuple[_Row, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """A button, a select or a text input as a person sees it."""

    custom_id: str
    label: str
    """Its label, or a select's placeholder."""
    is_disabled: bool
    options: tuple[str, ...]
    """The labels of a select."""
    chosen: tuple[str, ...]
    """Those of them that are preselected."""
    values: tuple[str, ...]
    """What the options stand for, in their order."""

    def value_of(self, shown: str) -> str:
        """Return what the only option stands for that is labelled so, or has that in its label."""
        found = [place for place, label in enumerate(self.options) if label == shown] or [
            place for place, label in enumerate(self.options) if shown in label
        ]
        assert len(found) == 1, f"{shown!r} is not exactly one of {self.options}"
        return self.values[found[0]]


def with_words(text: str) -> str:
    """Return a text with what icons say in their place."""
    return _ICON.sub(lambda found: emoji_names()[found[1]].label, text)


def _embed(shown: discord.Embed) -> discord.Embed:
    return discord.Embed.from_dict(json.loads(with_words(json.dumps(shown.to_dict(), default=str))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message of the bot as it was when it was read."""

    handle: ResponseMessage
    text: str
    embeds: tuple[discord.Embed, ...]
    """With words where people see icons."""
    components: tuple[Component, ...]
    files: tuple[discord.Attachment, ...]
    is_private: bool

    @property
    def icons(self) -> int:
        """How many emoji of the bot's own stand in it."""
        shown = [self.handle.content, *(str(embed.to_dict()) for embed in self.handle.embeds)]
        return sum(len(_ICON.findall(each)) for each in shown)

    @property
    def embed(self) -> discord.Embed:
        """The only embed."""
        (embed,) = self.embeds
        return embed

    def component(self, label_or_id: str) -> Component:
        """Return the only button or select of that label, placeholder or custom id."""
        found = [each for each in self.components if label_or_id in {each.label, each.custom_id}]
        assert len(found) == 1, f"{label_or_id!r} is not exactly one of {self.components}"
        return found[0]

    @property
    def charts(self) -> list[tuple[str, str]]:
        """The records that are listed: difficulty and title of each."""
        found = _LISTED.findall(self.everything)
        return [(difficulty, re.sub(r"\\(.)", r"\1", title)) for difficulty, title in found]

    @property
    def everything(self) -> str:
        """All that a person can read in it, or hear of its pictures."""
        parts = [self.text, *(file.description for file in self.files)]
        for embed in self.embeds:
            parts += [embed.author.name, embed.title, embed.description, embed.footer.text]
            parts += [f"{field.name}\n{field.value}" for field in embed.fields]
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Form:
    """A modal as a person sees it."""

    title: str
    inputs: tuple[Component, ...]


class Reply:
    """What came of one command, click, choice or form, as it was when it was read."""

    def __init__(self, wire: Simulator, result: InteractionResult) -> None:
        self._wire = wire
        self.result = result
        self.posts = tuple(_posts(result))
        self.form = _form(result.modal)

    @property
    def post(self) -> Post:
        assert self.posts, "the answer was a form, not a message" if self.form else "nothing was answered"
        return self.posts[0]

    @property
    def text(self) -> str:
        return self.post.text

    @property
    def embed(self) -> discord.Embed:
        return self.post.embed

    @property
    def embeds(self) -> tuple[discord.Embed, ...]:
        return self.post.embeds

    @property
    def components(self) -> tuple[Component, ...]:
        return self.post.components

    @property
    def files(self) -> tuple[discord.Attachment, ...]:
        return self.post.files

    @property
    def is_private(self) -> bool:
        return self.post.is_private

    @property
    def charts(self) -> list[tuple[str, str]]:
        return self.post.charts

    @property
    def everything(self) -> str:
        return self.post.everything

    def component(self, label_or_id: str) -> Component:
        return self.post.component(label_or_id)

    def again(self) -> "Reply":
        """Read it anew."""
        return Reply(self._wire, self.result)

    async def until(self, holds: Callable[["Reply"], bool]) -> "Reply":
        """Wait until it looks as wanted, and return it so."""
        assert await self._wire.until(lambda: holds(self.again()), ANSWER_SECONDS), (
            f"not as wanted within {ANSWER_SECONDS:g} s: {self.again().posts}"
        )
        return self.again()


def is_answered(result: InteractionResult, edited: object) -> bool:
    if result.modal is not None or result.autocomplete_choices is not None or result.followups:
        return True
    shown = result.response
    if shown is None or shown.flags.loading:
        return False
    if result.deferred:  # a click was acknowledged; its answer comes as an edit of the message
        return shown.message.edited_at != edited
    return result.acknowledged


def _posts(result: InteractionResult) -> list[Post]:
    first = result.response
    shown = [first] if first is not None and not first.flags.loading else []
    return [read_post(message) for message in (*shown, *result.followups)]


def read_post(message: ResponseMessage) -> Post:
    check_message(message.content, message.embeds, message.components, message.attachments)
    return Post(
        handle=message,
        text=with_words(message.content),
        embeds=tuple(map(_embed, message.embeds)),
        components=tuple(
            _component(_Control.model_validate(each))
            for each in walk_components(message.components)
            if "custom_id" in each
        ),
        files=tuple(message.attachments),
        is_private=message.ephemeral,
    )


def _component(control: _Control, label: str | None = None) -> Component:
    return Component(
        custom_id=control.custom_id,
        label=label or control.label or control.placeholder or "",
        is_disabled=control.disabled,
        options=tuple(option.label for option in control.options),
        chosen=tuple(option.label for option in control.options if option.default),
        values=tuple(option.value for option in control.options),
    )


def _form(wire: Mapping[str, object] | None) -> Form | None:
    if wire is None:
        return None
    check_form(wire)
    modal = _Modal.model_validate(wire)
    inputs: list[Component] = []
    for row in modal.components:
        inputs += [_component(each) for each in row.components]
        if row.component is not None:
            inputs.append(_component(row.component, row.label))
    return Form(title=modal.title, inputs=tuple(inputs))
