"""Errors in a filter, and their position."""

from enum import Enum, auto

from bot.domain.errors import BadQuery


class Expected(Enum):
    """What the parser expected at the position."""

    TERM = auto()
    """Something to exclude, after a minus sign."""
    KEY = auto()
    """One of the keys; or quotation marks around a word that contains an operator."""
    OPERATOR = auto()
    """One of the operators that the key accepts."""
    VALUE = auto()
    ONE_VALUE = auto()
    """A single value: the operator compares."""
    QUOTE = auto()
    """The closing quotation mark."""
    NUMBER = auto()
    """A number with at most two decimals, such as 13.5."""
    FELT = auto()
    """A number as above, or one relative to the constant: const-0.2."""
    WHOLE = auto()
    """A whole number."""
    LEVEL = auto()
    """A level such as 13 or 13+."""
    DATE = auto()
    """A date such as 2023-01-31, 2023-01 or 2023."""
    RANGE = auto()
    """Two dots between two ends that are joined by a hyphen."""
    CHOICE = auto()
    """One of a few words."""


class BadFilter(BadQuery):
    """A filter that cannot be parsed: the text from `start` up to `stop` is not what was expected."""

    def __init__(
        self, text: str, start: int, stop: int, expected: Expected, options: tuple[str, ...] = ()
    ) -> None:
        self.text = text
        """The whole filter as it was typed."""
        self.start = start
        self.stop = stop
        """The end of the unexpected text; `start` itself if something is missing."""
        self.expected = expected
        self.options = options
        """What could be there, the likeliest first, if that is a short list; of keys, only similar ones."""
        wanted = expected.name.lower().replace("_", " ")
        super().__init__("filter", f"{wanted} expected at {start}")
