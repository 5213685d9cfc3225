"""Looks at a member's records, and the session between two of them."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from bot.domain.chronicle.session import RecordChange, SessionDiff, compare, told_since
from bot.domain.chronicle.state import RecordsState


class SessionBetween(NamedTuple):
    """A session, and the states between which it took place."""

    session: SessionDiff
    before: RecordsState
    after: RecordsState
    earlier: Sequence[RecordChange]
    """The achievements between the states from before the session began."""


def session_between(
    before: RecordsState, after: RecordsState, since: datetime | None = None
) -> SessionBetween:
    """Return the session between two states, or only its part since a moment."""
    whole = compare(before, after)
    session = whole if since is None else told_since(whole, since)
    kept = {change.chart for change in session.achievements}
    earlier = [change for change in whole.achievements if change.chart not in kept]
    return SessionBetween(session, before, after, earlier)


class LookPair(NamedTuple):
    """Two successive looks."""

    before: RecordsState
    after: RecordsState


def last_played_between(states: Sequence[RecordsState]) -> LookPair | None:
    """Return the last two successive looks, given newest first, between which something was achieved."""
    pairs = (LookPair(before, after) for after, before in pairwise(states))
    return next((pair for pair in pairs if compare(pair.before, pair.after).achievements), None)


def is_all_from_before(before: RecordsState, after: RecordsState, moment: datetime) -> bool:
    """Return whether there are achievements between two looks, and the service dates all of them before a moment."""
    found = compare(before, after).achievements
    return bool(found) and all(each.played_at is not None and each.played_at < moment for each in found)
