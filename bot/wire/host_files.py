"""Files that whoever hosts the bot writes: a fact a line, and what cannot be read is named with its line."""

from collections.abc import Iterator


class BadLine(ValueError):
    """A line of such a file cannot be read; the text names the line and what is wrong with it."""

    def __init__(self, line: int, what: str) -> None:
        self.line = line
        """Counted from 1."""
        super().__init__(f"line {line}: {what}")


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines that say something, with their numbers; empty ones and those that begin with # say nothing."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()
