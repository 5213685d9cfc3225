"""What is wrong with a filter, and where."""

from enum import Enum, auto

from bot.domain.errors import BadQuery


class Expected(Enum):
    """What should have stood at the place."""

    TERM = auto()
    """Something to exclude, after a minus sign."""
    KEY = auto()
    """One of the keys; or quotes around a word that has an operator in it."""
    OPERATOR = auto()
    """One of the operators that the key takes."""
    VALUE = auto()
    ONE_VALUE = auto()
    """One value alone: the operator compares."""
    QUOTE = auto()
    """The quotation mark that closes."""
    NUMBER = auto()
    """A number with at most two decimals, such as 13.5."""
    FELT = auto()
    """A number as above, or the constant with one added to it: const-0.2."""
    WHOLE = auto()
    """A whole number."""
    LEVEL = auto()
    """Such as 13 or 13+."""
    DATE = auto()
    """Such as 2023-01-31, 2023-01 or 2023."""
    RANGE = auto()
    """Two dots between two ends that were joined by a hyphen."""
    CHOICE = auto()
    """One of a few words."""


class BadFilter(BadQuery):
    """A filter that cannot be read: what stands from `start` up to `stop` is not what was expected."""

    def __init__(
        self, text: str, start: int, stop: int, expected: Expected, options: tuple[str, ...] = ()
    ) -> None:
        self.text = text
        """The whole filter as it was typed."""
        self.start = start
        self.stop = stop
        """`start` itself where something is missing."""
        self.expected = expected
        self.options = options
        """What could stand there, the likeliest first, where that is a short list; of keys, those that are near."""
        wanted = expected.name.lower().replace("_", " ")
        super().__init__("filter", f"{wanted} expected at {start}")
