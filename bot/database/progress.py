"""How far an upgrade of the database is, told while it goes on: a large one takes minutes."""

import logging
from collections.abc import Sequence
from time import monotonic
from typing import Final

_logger = logging.getLogger(__name__)

_LOG_SECONDS: Final = 5.0
"""Seconds between two lines of the log."""
_WEIGHTS: Final = {"0006": 150.0, "0012": 1.0}
"""Steps that write every day of every member anew weigh what each took of 200,000 days on SQLite: 64 s and 0.4 s."""
_OTHER_WEIGHT: Final = 0.01
"""All others add tables and columns and weigh this: 0025 took less than a hundredth of a second there."""


class UpgradeProgress:
    """The steps of one upgrade, by the names of its migrations."""

    def __init__(self, steps: Sequence[str]) -> None:
        self._left = {step: _WEIGHTS.get(step, _OTHER_WEIGHT) for step in steps}
        self._all = sum(self._left.values())
        self._within = 0.0
        self._began = self._told_at = monotonic()
        if len(steps) > 0:
            _logger.info("the database is brought up to date: %d step%s", len(steps), "s"[: len(steps) - 1])

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        left = sum(self._left.values())
        now = next(iter(self._left.values()), 0.0) * self._within
        return 1.0 if not self._all else (self._all - left + now) / self._all

    def __str__(self) -> str:
        """Return it in words, with how long it will take as far as can be told."""
        said = f"the database is brought up to date: {self.share:.0%} done"
        took = monotonic() - self._began
        if took < _LOG_SECONDS or self.share <= 0:
            return said
        return f"{said}, about {_in_words(took / self.share - took)} left"

    def note(self, step: str, share: float = 1.0) -> None:
        """Note that this much of a step is done; whole ones in their order."""
        if share >= 1:
            self._left.pop(step, None)
            self._within = 0.0
        elif step == next(iter(self._left), None):
            self._within = share
        if monotonic() - self._told_at >= _LOG_SECONDS:
            self._told_at = monotonic()
            _logger.info("%s", self)


def _in_words(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{seconds:.0f} seconds" if not minutes else f"{minutes} min"
