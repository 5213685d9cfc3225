"""The progress of a database upgrade, reported while it runs: a large one takes minutes."""

import logging
from collections.abc import Sequence
from time import monotonic
from typing import Final

_logger = logging.getLogger(__name__)

_LOG_SECONDS: Final = 5.0
"""Seconds between two lines of the log."""
_WEIGHTS: Final = {"0006": 150.0, "0012": 1.0}
"""Steps that rewrite every member's days, weighted by what 200,000 days took on SQLite: 64 s and 0.4 s."""
_OTHER_WEIGHT: Final = 0.01
"""The weight of all other steps, which add tables and columns: 0025 took less than 0.01 s there."""


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
        """The fraction that is done, from 0 to 1."""
        left = sum(self._left.values())
        now = next(iter(self._left.values()), 0.0) * self._within
        return 1.0 if not self._all else (self._all - left + now) / self._all

    def __str__(self) -> str:
        """Return the progress in words, with an estimate of the remaining time if there is one."""
        said = f"the database is brought up to date: {self.share:.0%} done"
        took = monotonic() - self._began
        if took < _LOG_SECONDS or self.share <= 0:
            return said
        return f"{said}, about {_in_words(took / self.share - took)} left"

    def note(self, step: str, share: float = 1.0) -> None:
        """Note that this fraction of a step is done; steps complete in order."""
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
