"""What a bot tells Prometheus and whoever looks after it, read as they read it."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from bot.chat.answers import _ANSWERING


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@dataclass(frozen=True)
class Samples:
    """Every number, by its name and labels, and the text that they stood in."""

    text: str
    values: dict[tuple[str, frozenset[tuple[str, str]]], float]

    def of(self, name: str) -> list[tuple[dict[str, str], float]]:
        """Return the samples of one name, with their labels."""
        return [(dict(labels), value) for (each, labels), value in self.values.items() if each == name]

    def get(self, name: str, **labels: str) -> float | None:
        return self.values.get((name, frozenset(labels.items())))


class Scraper:
    """Asks one process."""

    def __init__(self, session: ClientSession, port: int) -> None:
        self._session = session
        self._base = f"http://127.0.0.1:{port}"

    async def ask(self, path: str) -> tuple[int, str]:
        async with self._session.get(self._base + path) as response:
            return response.status, await response.text()

    async def scrape(self) -> Samples:
        status, text = await self.ask("/metrics")
        assert status == 200
        families = text_string_to_metric_families(text)
        samples = [sample for family in families for sample in family.samples]
        return Samples(text, {(each.name, frozenset(each.labels.items())): each.value for each in samples})


@asynccontextmanager
async def scraping(port: int) -> AsyncGenerator[Scraper]:
    async with ClientSession() as session:
        yield Scraper(session, port)


async def until_answered() -> None:
    """Wait until what was answered is done with, and counted."""
    answers = [task for task in asyncio.all_tasks() if task.get_name().startswith(_ANSWERING)]
    if answers:
        await asyncio.wait(answers)
