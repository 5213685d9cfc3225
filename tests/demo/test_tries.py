"""What there is to try beside the chat, and the README's tables; `tests/cogs/test_about.py` holds that none is missing."""

import re
from pathlib import Path

import pytest
from aiohttp import ClientSession
from simcord import ResponseMessage

from bot.demo import session
from bot.demo.tries import ROWS, MenuTry, Try
from bot.ui.help import COMMANDS_BY_TOPIC, TOPICS
from bot.ui.kit.routes import HelpTopic

README = Path(__file__).parents[2] / "README.md"
USAGE = re.compile(r"`([^`]*)`")


def row_of(usage: str) -> list[str]:
    """Return the commands of a row with their options: "`/alias add` `list`" are two of a group."""
    found: list[str] = []
    for text in USAGE.findall(usage):
        group = "" if text.startswith("/") else f"{found[-1].split(' ')[0]} "
        found.append(group + text.removeprefix("/"))
    return found or [f"menu {name}" for name in re.findall(r"of a (\w+)", usage)]


def readme_rows() -> dict[str, list[list[str]]]:
    """Return the rows of the README's tables by the heading above each."""
    tables = re.findall(
        r"^### (.+)\n\n\| command \| what it answers \|\n\|---\|---\|\n((?:\|.+\n)+)",
        README.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return {
        heading: [row_of(line.split(" | ")[0].removeprefix("| ")) for line in rows.splitlines()]
        for heading, rows in tables
    }


def name_of(each: Try | MenuTry) -> str:
    return f"menu {each.menu}" if isinstance(each, MenuTry) else each.command


def listed_rows(topic: HelpTopic) -> list[list[str]]:
    return [list(dict.fromkeys(map(name_of, row))) for row in ROWS[topic]]


def test_the_list_and_the_readme_have_the_same_rows() -> None:
    told = readme_rows()
    assert told.keys() == {TOPICS[topic] for topic in ROWS}
    for topic in ROWS:
        for row, usage in zip(listed_rows(topic), told[TOPICS[topic]], strict=True):
            # The README names required options after a command, such as "song title".
            assert all(
                text == name or text.startswith(f"{name} ") for name, text in zip(row, usage, strict=True)
            ), usage


def test_the_readme_has_the_topics_of_help_in_their_order() -> None:
    assert list(readme_rows()) == [TOPICS[topic] for topic in TOPICS if topic in COMMANDS_BY_TOPIC]


@pytest.mark.parametrize("topic", COMMANDS_BY_TOPIC)
def test_the_list_has_the_commands_of_each_topic(topic: HelpTopic) -> None:
    listed = {name.partition(" ")[0] for row in listed_rows(topic) for name in row}
    assert listed - {"menu"} == set(COMMANDS_BY_TOPIC[topic]), "its row is under the topic of bot/ui/help.py"


@pytest.mark.heavy
async def test_the_demo_offers_all_commands_and_shows_a_card(tmp_path: Path) -> None:
    async with (
        session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _),
        ClientSession(page.url.removesuffix("/#demo")) as client,
    ):
        first, card = page.channel.history()
        assert "Welcome" in first.content
        shown = ResponseMessage(
            page._simulator, page._simulator.backend.get_message(card.channel.id, card.id)
        )
        assert shown.attachments
        for language, heading, typed in (
            ("en", "My account and data", "/rating member:@Ken"),
            ("ja", "アカウントとデータ", "/レーティング メンバー:@Ken"),
            ("xx", "My account and data", "/rating member:@Ken"),
        ):
            async with client.get("/tries.json", params={"language": language}) as reply:
                groups = await reply.json()
            assert groups[0]["heading"] == heading
            tries = [each for group in groups for each in group["tries"]]
            assert typed in [each["typed"] for each in tries]
            assert all(each["about"] for each in tries)
        names = {each["name"] for each in tries if "name" in each}
        assert names == {name for each in page.known_commands() for name, _ in each.leaves()}
        (ken,) = [viewer for viewer in page.viewers if viewer.user.global_name == "Ken"]
        values = [each["values"] for each in tries if each.get("name") == "rating"]
        assert values == [{}, {"member": {"typed": "@Ken", "id": str(ken.id), "name": "Ken"}}]
