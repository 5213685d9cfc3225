"""The demo's players and their past, invented once for all demos of a run: of what a start costs they are four fifths."""

import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from once import made_once

from bot.demo import past, session
from bot.demo.world import RESIDENTS
from bot.domain.chronicle.state import RecordsState
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey, Snapshot
from bot.domain.ids import MemberId
from bot.domain.members import AccountLink
from bot.store import KeptCatalogue
from service.seed import SeedReport, seed

Invented: TypeAlias = tuple[
    list[AccountLink], list[Snapshot], list[RecordsState], KeptCatalogue, dict[ChartKey, ChartSummary]
]
"""What residents would have seen: their links, ratings and records, and the catalogue and statistics of then."""
SERVED = "service.db"
SEEDED = "seeded.db"
"""The same before anybody has a past."""


def invent(folder: Path) -> tuple[SeedReport, Invented]:
    """Make the service's database as a demo finds it at its start; the residents are numbered."""
    report = seed(folder / SERVED, players=session.PLAYERS, crowd_size=session.CROWD)
    shutil.copy(folder / SERVED, folder / SEEDED)
    people = {MemberId(number): each.player for number, each in enumerate(RESIDENTS) if each.is_linked}
    return report, past._invent(folder / SERVED, people, datetime.now(UTC))


def all_invented(factory: pytest.TempPathFactory) -> tuple[Path, tuple[SeedReport, Invented]]:
    """Return the folder of what was invented for the demos of this run, and what was told of it."""
    return made_once(factory, "demo", invent)


@contextmanager
def invented_once(factory: pytest.TempPathFactory) -> Generator[None]:
    """Have each demo of a block find the players and the past of the first."""
    invent_anew = past._invent
    known = list[tuple[Path, SeedReport, Invented]]()
    at_hand = set[Path]()

    def copy(db: Path, *, catalogue: Path | None = None, **how: Any) -> SeedReport:
        if catalogue is not None:
            return seed(db, catalogue=catalogue, **how)
        if not known:
            folder, (report, invented) = all_invented(factory)
            known.append((folder, report, invented))
        ((folder, report, _),) = known
        shutil.copy(folder / SERVED, db)
        at_hand.add(db)
        return report

    def tell(service: Path, people: Mapping[MemberId, str], now: datetime) -> Invented:
        if service not in at_hand:
            return invent_anew(service, people, now)
        ((_, _, (links, snapshots, states, catalogue, summaries)),) = known
        ids = {name: member for member, name in people.items()}
        of = {MemberId(number): ids[each.player] for number, each in enumerate(RESIDENTS) if each.is_linked}
        return (
            [replace(each, member=of[each.member]) for each in links],
            [replace(each, member=of[each.member]) for each in snapshots],
            [replace(each, member=of[each.member]) for each in states],
            catalogue,
            summaries,
        )

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(session, "seed", copy)
        monkeypatch.setattr(past, "_invent", tell)
        yield
