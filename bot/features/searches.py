"""Lists of charts: a filter over the catalogue, by page, and random draws from it."""

import json
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.age import Age, oldest
from bot.domain.coach.feeling import FeltByMember
from bot.domain.draft import Draft, NotYourTurn
from bot.domain.entries import FELT_ORDERS, RECORD_ORDERS, ChartEntry, Order, catalogue_entries, sort_entries
from bot.domain.errors import BotError, CannotKeep, NotLinked, TooOld
from bot.domain.filters import Filter, FilterCondition, parse_filter
from bot.domain.ids import GuildId, MemberId, Region
from bot.domain.members import Audience
from bot.domain.players import Target
from bot.domain.scores import Record
from bot.features.shared.asking import ask_both
from bot.features.shared.library import SongLibrary, SongLookup
from bot.features.shared.paging import LINES, Part, part_of
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.reports import Fetched
from bot.store import Store, key_of

_MAX_CACHED_FILTERS: Final = 1_000
"""The most filters in memory."""
_WRITTEN_FOR: Final = timedelta(days=1)
"""The time before a stored filter is stored again: it is kept for half a year after the last time."""
_DIFFICULT: Final = parse_filter("diff:mas,ult")
"""The charts to draw from if a filter does not mention difficulty: hardly anybody means BASIC charts."""
_HARDNESS_KEYS: Final = frozenset({"diff", "level", "const", "felt"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReport(Fetched):
    """The content of `/search`."""

    wanted: Filter
    order: Order | None
    """The order; None puts the best match first."""
    part: Part[ChartEntry]
    audience: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Fetched):
    """The content of `/random`."""

    wanted: Filter
    entries: tuple[ChartEntry, ...]
    pool: int
    """The number of charts that pass the filter."""
    audience: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftReport(Fetched):
    """The content of `/random` for several people, who strike charts in turn."""

    key: str
    """The key under which the charts are stored."""
    language: str
    """The language code of the member who began: all at the table read one message."""
    wanted: Filter
    draft: Draft
    audience: Audience = Audience.ANYONE


class TableIsPrivate(BotError):
    """Charts for a table would depend on records that their owner shows to nobody."""

    def __init__(self) -> None:
        super().__init__("the records are shown to nobody")


class _KnownText(NamedTuple):
    """A recently used filter, or the charts of a table."""

    text: str
    written_at: datetime
    """The moment at which it was last stored, or should have been."""


class _Known(NamedTuple):
    """The asker's data that a list needs."""

    records: tuple[Record, ...]
    felt: FeltByMember | None
    age: Age
    """The age of all searched data."""


class Searches:
    """Filters the catalogue."""

    def __init__(
        self, library: SongLibrary, player_models: PlayerModels, store: Store, clock: Clock, random: Random
    ) -> None:
        self._library = library
        self._player_models = player_models
        self._questions = store.questions
        self._backlog = store.backlog
        self._at_hand: OrderedDict[str, _KnownText] = OrderedDict()
        """The latest filters by key: their pages can be turned even if nothing can be stored."""
        self._clock = clock
        self._random = random

    async def save_filter(self, text: str) -> str:
        """Return a short key for a filter, from which its pages can be rebuilt. Raises: BadFilter."""
        return await self._save_text(str(parse_filter(text)))

    async def _save_text(self, text: str) -> str:
        key, now = key_of(text), self._clock.now()
        known = self._at_hand.get(key)
        if known is not None and now - known.written_at < _WRITTEN_FOR:
            self._at_hand.move_to_end(key)
            return key
        self._at_hand[key] = _KnownText(text, now)
        self._at_hand.move_to_end(key)
        if len(self._at_hand) > _MAX_CACHED_FILTERS:
            self._at_hand.popitem(last=False)
        try:
            await self._questions.save(text, now)
        except CannotKeep:
            self._backlog.add(("question", key), lambda: self._questions.save(text, now))
        return key

    async def get_text(self, key: str) -> str:
        """Return the filter or the charts stored under a key. Raises: TooOld."""
        known = self._at_hand.get(key)
        text = known.text if known is not None else await self._questions.find(key)
        if text is None:
            raise TooOld
        return text

    def needs_viewer_scores(self, text: str, order: Order | None = None) -> bool:
        """Return whether a list would reveal the viewer's own scores. Raises: BadFilter."""
        return _needs_records(parse_filter(text), order)

    async def report(
        self, viewer: MemberId, text: str, order: Order | None, number: int, guild: GuildId | None
    ) -> SearchReport:
        """Return one page of the charts that pass a filter, hardest or best match first.

        Raises: BadFilter, NotLinked if scores are needed and the viewer is not linked, errors of the service.
        """
        wanted = parse_filter(text)
        visit = await self._library.visit(viewer, guild)
        needed = _needs_records(wanted, order)
        known = await self._look(visit, wanted, order)
        # Going through thousands of charts would block the event loop for too long.
        ordered = await run_in_worker(lambda: _ordered(visit, wanted, _passing(visit, wanted, known), order))
        return SearchReport(
            wanted=wanted,
            order=order,
            part=part_of(ordered, LINES, number),
            region=visit.region,
            age=known.age,
            audience=_audience(visit, needed=needed),
        )

    async def draw(self, viewer: MemberId, text: str, count: int, guild: GuildId | None) -> Draw:
        """Return randomly drawn charts of different songs that pass a filter. Raises: as `report`."""
        wanted = parse_filter(text)
        if not any(
            isinstance(term, FilterCondition) and term.name in _HARDNESS_KEYS for term in wanted.terms
        ):
            wanted = wanted.and_also(_DIFFICULT)
        visit = await self._library.visit(viewer, guild)
        needed = _needs_records(wanted)
        known = await self._look(visit, wanted)
        passing = await run_in_worker(_passing, visit, wanted, known)
        pool = passing if wanted.names_locked else [entry for entry in passing if not entry.is_locked]
        drawn: dict[str, ChartEntry] = {}
        for entry in self._random.sample(pool, len(pool)):
            if len(drawn) == count:
                break
            drawn.setdefault(entry.song.id, entry)
        return Draw(
            wanted=wanted,
            entries=tuple(drawn.values()),
            pool=len(pool),
            region=visit.region,
            age=known.age,
            audience=_audience(visit, needed=needed),
        )

    async def begin_draft(
        self,
        viewer: MemberId,
        text: str,
        count: int,
        table: Draft,
        guild: GuildId | None,
        *,
        language: str,
    ) -> DraftReport:
        """Draw charts for a table, and store them with the language of its message, but without the people.

        Raises: as `draw`, TableIsPrivate.
        """
        drawn = await self.draw(viewer, text, count, guild)
        if drawn.audience is not Audience.ANYONE:
            raise TableIsPrivate
        charts = [entry.key for entry in drawn.entries]
        return DraftReport(
            key=await self._save_text(json.dumps([str(drawn.wanted), charts, drawn.region, language])),
            language=language,
            wanted=drawn.wanted,
            draft=replace(
                table, charts=tuple(replace(entry, record=None, felt=None) for entry in drawn.entries)
            ),
            region=drawn.region,
            age=drawn.age,
        )

    async def strike(
        self, viewer: MemberId, key: str, table: Draft, place: int, guild: GuildId | None
    ) -> DraftReport:
        """Strike one of the charts stored under a key. Raises: TooOld, NotYourTurn, errors of the service."""
        wanted, charts, *rest = json.loads(await self.get_text(key))
        region, language = (*rest, "", "")[:2]  # the first tables were stored without these
        visit = await self._library.visit(viewer, guild, Region(region) if region else None)
        entries = {entry.key: entry for entry in catalogue_entries(visit.loaded.catalogue)}
        if any(tuple(chart) not in entries for chart in charts):  # the chart has left the game
            raise TooOld
        before = replace(table, charts=tuple(entries[tuple(chart)] for chart in charts))
        if before.next_player is None or place not in before.places_left:
            raise TooOld
        if before.next_player != viewer:
            raise NotYourTurn
        return DraftReport(
            key=key,
            language=language,
            wanted=parse_filter(wanted),
            draft=replace(before, struck=before.struck | {place}),
            region=visit.region,
            age=visit.loaded.age,
        )

    async def _look(self, visit: SongLookup, wanted: Filter, order: Order | None = None) -> _Known:
        """Return the asker's data that a list needs. Raises: NotLinked, FeltNotKnown."""
        if not _needs_records(wanted, order):
            return _Known((), None, visit.loaded.age)
        asker, region = visit.asker, visit.region
        if asker is None:
            raise NotLinked
        if not wanted.needs_felt and order not in FELT_ORDERS:
            answer = await asker.fetch_all_records(Target(), region)
            return _Known(answer.value, None, oldest(visit.loaded.age, answer.age))
        both = await ask_both(asker.fetch_owner(Target()), asker.fetch_all_records(Target(), region))
        player, records = both.value
        catalogue = visit.loaded.catalogue
        felt = await self._player_models.feel(wanted, order, catalogue, player.rating, records, asker.link)
        return _Known(records, felt, oldest(visit.loaded.age, both.age))


def _needs_records(wanted: Filter, order: Order | None = None) -> bool:
    return wanted.needs_records or order in RECORD_ORDERS


def _audience(visit: SongLookup, *, needed: bool) -> Audience:
    """Return who may see a list: even without scores, the passing charts reveal what the viewer has played."""
    is_hidden = needed and visit.asker is not None and visit.asker.is_only_me
    return Audience.ASKER if is_hidden else Audience.ANYONE


def _passing(visit: SongLookup, wanted: Filter, known: _Known) -> list[ChartEntry]:
    looked_up = wanted.searched(lambda words: visit.loaded.index.matches(words, aliases=visit.aliases))
    entries = catalogue_entries(visit.loaded.catalogue, known.records, visit.locked)
    return looked_up.passing(known.felt.on_entries(entries) if known.felt else entries)


def _ordered(
    visit: SongLookup, wanted: Filter, entries: list[ChartEntry], order: Order | None
) -> list[ChartEntry]:
    if order is not None or not wanted.words:
        return sort_entries(entries, order or Order.CONSTANT_DOWN)
    found = visit.loaded.index.matches(wanted.words, aliases=visit.aliases)
    places = {song: place for place, song in enumerate(found)}
    return sorted(
        sort_entries(entries, Order.CONSTANT_DOWN),
        key=lambda entry: places.get(entry.song.id, len(places)),
    )
