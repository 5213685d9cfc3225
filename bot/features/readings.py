"""Readings of kanji, where the operator installed the optional extra `readings`."""

import importlib
import importlib.util
import logging
from functools import lru_cache
from typing import Final, Protocol

from bot.domain.search import Reader

_log = logging.getLogger(__name__)

_REMEMBERED: Final = 16_384
"""Titles whose reading is kept: the next catalogue is nearly the same."""


class _Cutlet(Protocol):
    """What is used of cutlet, which has no types."""

    use_foreign_spelling: bool

    def romaji(self, text: str) -> str: ...


def find_reader() -> Reader | None:
    """Return what reads kanji, or None where cutlet or its dictionary is not installed; loads for a moment."""
    if importlib.util.find_spec("cutlet") is None:
        return None
    try:
        cutlet: _Cutlet = importlib.import_module("cutlet").Cutlet()
    except (ImportError, RuntimeError) as error:
        _log.warning("cutlet cannot be used for readings: %s", error)
        return None
    # "card" for カード would not be what anybody types who writes romaji.
    cutlet.use_foreign_spelling = False
    return lru_cache(_REMEMBERED)(cutlet.romaji)
