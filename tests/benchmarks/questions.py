"""What the features really ask: each is used once, on a bot without Discord, and what it asks is written down."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from bot.api.answer import Key
from bot.api.cache import AnswerCache
from bot.base.clock import SystemClock
from bot.base.config import Settings
from bot.domain.charts import MASTER
from bot.domain.entries import Order
from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Visibility
from bot.domain.overpower import Grouping
from bot.domain.players import Target
from bot.domain.scores import SlotName
from bot.features import Features
from bot.features.shared.askers import Asker
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.subjects import Subject
from bot.program.app import App
from bot.wire.versions import Version
from service.options import ServiceOptions
from service.seed import seed
from service.server import running

_ME: Final = MemberId(1)
_SELF: Final = Subject()
_CATALOGUE: Final = "catalogue"
_OF_TWO: Final = ("compare", "duel")


@dataclass(frozen=True)
class Question:
    """One thing that a command wants to know."""

    about: str
    """The first word of what is asked."""
    beside: str | None = None
    """What it may be as old as."""
    is_of_other: bool = False
    """About the player that the command is about, and not about the asker."""

    @property
    def version(self) -> Version:
        """Of the service, whose requests are counted apart."""
        return "1.3" if self.about in {"player", "statistics"} else "2.0"

    def ask(self, asker: Asker, catalogues: Catalogues, other: UserId, song: SongId) -> Awaitable[object]:
        """Ask as a feature does."""
        target = Target(user_id=other) if self.is_of_other else Target()
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "player": lambda: (asker.fetch_owner if self.beside else asker.fetch_player)(target),
            "friends": asker.fetch_friends,
            "rating_data": lambda: asker.fetch_rating_data(target, JP2),
            "records": lambda: asker.fetch_records(target, JP2),
            "worlds_end": lambda: asker.fetch_worlds_end(target, JP2),
            "courses": lambda: asker.fetch_courses(target, JP2),
            "statistics": lambda: asker.fetch_statistics((song, MASTER)),
            _CATALOGUE: lambda: catalogues.get(JP2, asker.open_token, patience=asker.patience),
        }
        return asked[self.about]()


Command = Callable[[Features, Subject, str], Awaitable[object]]
COMMANDS: Final[Mapping[str, Command]] = {
    "rating": lambda bot, whom, _: bot.rating.report(_ME, whom),
    "best": lambda bot, whom, _: bot.best.report(_ME, whom, SlotName.BEST),
    "score": lambda bot, whom, song: bot.scores.report_song(_ME, whom, song, None),
    "scores": lambda bot, whom, _: bot.scores.report(_ME, whom, "", Order.RATING_DOWN),
    "compare": lambda bot, whom, _: bot.comparison.report(_ME, whom),
    "plan": lambda bot, _, __: bot.plan.report(_ME, None, None),
    "border": lambda bot, _, song: bot.borders.report(_ME, song, None, None),
    "table": lambda bot, _, __: bot.completion.report(_ME, "level:13", None),
    "goals": lambda bot, _, __: bot.goals.report(_ME),
    "practice": lambda bot, _, __: bot.practice.report(_ME, "", 0, None),
    "skill": lambda bot, _, __: bot.skill.report(_ME, None),
    "duel": lambda bot, whom, song: bot.comparison.report_song(_ME, whom, song, None),
    "friends": lambda bot, _, __: bot.friends.report(_ME),
    "worldsend": lambda bot, _, __: bot.scores.report_worlds_end(_ME),
    "courses": lambda bot, _, __: bot.courses.report(_ME),
    "overpower": lambda bot, _, __: bot.overpower.report(_ME, next(iter(Grouping))),
    "export": lambda bot, _, __: bot.exports.gather(_ME),
    "stats": lambda bot, _, song: bot.statistics.report(_ME, song, None, None, in_public=False),
    "song": lambda bot, _, song: bot.songs.report(_ME, song, None, in_public=False),
    "search": lambda bot, _, __: bot.searches.report(_ME, "const>=13", None, 0, None),
    "tiers": lambda bot, _, __: bot.tiers.report(_ME, "level:13", None, None),
    "story": lambda bot, _, song: bot.story.report(_ME, _SELF, song, None, None),
    "recap": lambda bot, _, __: bot.recap.report(_ME, None, None, None, UTC),
    "locked": lambda bot, _, __: bot.locked.report(_ME, 0, None),
    "random": lambda bot, _, __: bot.searches.draw(_ME, "const>=13", 3, None),
}


@contextmanager
def _written_down(asked: list[Question]) -> Generator[None]:
    """Write down what is asked, whether an answer is at hand or not."""
    get, get_catalogue = AnswerCache.get, Catalogues.get

    async def noted(self: AnswerCache, key: Key, *arguments: Any, **options: Any) -> Any:
        targets = [part for part in key.question if isinstance(part, Target)]
        is_of_other = any(not target.is_holder for target in targets)
        asked.append(Question(str(key.question[0]), options.get("beside"), is_of_other))
        return await get(self, key, *arguments, **options)

    async def catalogue_noted(self: Catalogues, *arguments: Any, **options: Any) -> Any:
        asked.append(Question(_CATALOGUE))
        return await get_catalogue(self, *arguments, **options)

    with patch.object(AnswerCache, "get", noted), patch.object(Catalogues, "get", catalogue_noted):
        yield


@asynccontextmanager
async def _bot(folder: Path) -> AsyncGenerator[tuple[Features, UserName]]:
    report = seed(folder / "service.db")
    async with running(folder / "service.db", options=ServiceOptions(quick_seconds=0)) as url:
        database = f"sqlite+aiosqlite:///{folder / 'kiroku.db'}"
        app = App(Settings(record_api_url=url, database_url=database), SystemClock())
        bot = await app.open()
        try:
            await bot.accounts.link(_ME, report.players[0].token, Visibility.ANYONE)
            yield bot, report.players[1].user_name
        finally:
            await app.close()


async def learn_questions() -> Mapping[tuple[str, bool], tuple[Question, ...]]:
    """Return what each command asks, by its name and whether it is about somebody else."""
    learnt: dict[tuple[str, bool], tuple[Question, ...]] = {}
    with TemporaryDirectory() as folder:
        async with _bot(Path(folder)) as (bot, name):
            song = (await bot.library.visit(_ME, None)).loaded.catalogue.songs[0].id
            other = Subject(player=UserName(name))
            for command, use in COMMANDS.items():
                for whom in (_SELF, other):
                    asked: list[Question] = []
                    with _written_down(asked):
                        await use(bot, other if command in _OF_TWO else whom, song)
                    learnt[command, whom is other] = tuple(dict.fromkeys(asked))
    return learnt
