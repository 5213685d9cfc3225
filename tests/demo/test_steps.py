"""What the walk in a browser types and expects, without one: a step that is no longer true is seen in every run."""

import re
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from demos import invented_once
from harness import Reply
from patience import PATIENT_SECONDS
from reading import is_answered
from simcord import MemberActor
from tried_commands import GROUPS, OTHER, Try

from bot.demo import session
from bot.demo.page import LivePage

pytestmark = pytest.mark.heavy

VIEWERS: Final = {"Alice": ("さくら", 0), "さくら": ("Alice", 1)}
"""Who else there is for whom, and in which of the steps' languages they read."""
WHOLE, MEMBER, NUMBER = 4, 6, 10
"""What options of such values are to Discord."""
MARKED: Final = re.compile(r"`|\*\*|</([^:>]+):\d+>")
"""What Discord shows otherwise than it is sent: code, what is bold, and commands to press."""


@pytest.fixture
async def page(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[LivePage]:
    with invented_once(tmp_path_factory):
        async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _):
            yield page


def person(page: LivePage, name: str) -> MemberActor:
    return next(each for each in page.viewers if each.user.global_name == name)


async def values_of(page: LivePage, viewer: MemberActor, each: Try, other: str) -> Mapping[str, Any]:
    """Return what a step sends once its texts were typed, and its suggestions taken."""
    leaves = {name: leaf for command in page.known_commands() for name, leaf in command.leaves()}
    options = {option.name: option for option in leaves[each.command].options}
    values: dict[str, Any] = {}
    for name, text in (*each.typed.items(), *each.chosen.items()):
        if options[name].type == MEMBER:
            values[name] = person(page, other if text == OTHER else str(text))
        elif name == "channel":
            values[name] = page.channel
        elif isinstance(text, str) and name in each.typed:
            number = {WHOLE: int, NUMBER: float}.get(options[name].type, str)
            values[name] = number(page._with_ids(text))
        else:
            place, typed = (text, "") if isinstance(text, int) else (0, text)
            choices = options[name].choices
            offered = [choice.value for choice in choices if typed.casefold() in choice.name.casefold()]
            if not choices:
                found = await viewer.autocomplete(page.channel, each.command, name, typed, **values)
                offered = [choice["value"] for choice in found]
            values[name] = offered[place]
    return values


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("group", GROUPS)
async def test_every_step_says_what_it_did(page: LivePage, group: str, viewer: str) -> None:
    other, language = VIEWERS[viewer]
    asks, simulator = person(page, viewer), page._simulator
    for each in GROUPS[group]:
        values = await values_of(page, asks, each, other)
        result = await asks.slash(page.channel, each.command, **values)
        assert await simulator.until(lambda result=result: is_answered(result, None), PATIENT_SECONDS)
        reply = Reply(simulator, result)
        said = [reply.everything, *(file.filename for file in reply.post.files)]
        said += [text for each in reply.components for text in (each.label, *each.options) if text]
        shown = MARKED.sub(lambda mark: f"/{mark[1]}" if mark[1] else "", "\n".join(said))
        assert each.says[language] in shown, each.command
