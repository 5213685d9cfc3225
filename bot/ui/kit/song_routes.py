"""The addresses of pages about songs, their names and their charts; those about players are in `routes`."""

from enum import StrEnum

from bot.domain.charts import Difficulty
from bot.domain.entries import Order
from bot.ui.kit.address import Address, ListAddress, PictureAddress, route


@route("alias")
class AliasesAddress(ListAddress):
    """The aliases of songs in the button's server."""


class SuggestionVerdict(StrEnum):
    """The decision of a server's managers on a suggestion; the values are part of the ids of components."""

    TAKE = "take"
    REFUSE = "refuse"


@route("suggested")
class SuggestionAddress(Address):
    """A suggested alias of a song in the button's server."""

    CHANGES = True
    suggestion: int
    verdict: SuggestionVerdict | None = None
    """The decision; None if there is none yet."""


@route("new")
class ChangesAddress(ListAddress):
    """The latest changes of the catalogue."""

    only: str = ""
    """The kind of changes to show; empty for what matters of every kind."""


@route("search")
class SearchAddress(ListAddress):
    """The charts that match a filter."""

    key: str
    """The key under which the filter is stored."""
    order: Order | None = None


@route("random")
class RandomAddress(Address):
    """Charts drawn by lot."""

    key: str
    """The key under which the filter is stored."""
    count: int
    """The number of charts to draw."""
    turn: int = 0
    """The number of redraws so far, to make ids differ: Discord tells buttons apart by them."""


@route("draft")
class DraftAddress(Address):
    """A table of charts from which players strike some in turn; only the message says who they are."""

    key: str
    """The key under which the charts are stored."""
    vetoes: int
    """The number of charts that each player strikes."""
    struck: int = 0
    """The charts struck before, one bit each."""
    place: int
    """The place of the chart that is struck now."""


@route("song")
class SongAddress(Address):
    """A song with its charts."""

    song: str
    """The song's id, or a text to search for it."""


@route("stats")
class StatisticsAddress(PictureAddress):
    """The statistics of all players on a chart of a song."""

    song: str
    """The song's id, or a text to search for it."""
    difficulty: Difficulty | None = None
    """The difficulty; by default the hardest."""


@route("try")
class TrialAddress(PictureAddress):
    """The card of an invented player."""
