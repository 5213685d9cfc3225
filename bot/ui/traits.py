"""The names of charts' traits."""

from collections.abc import Mapping
from typing import Final

from bot.domain.coach.chart_features import DENSITY, ERA, TEMPO
from bot.domain.practice import Trait
from bot.ui.kit.markdown import one_line
from bot.ui.language.text import Language, mark

_WORDS: Final[Mapping[Trait, str]] = {
    Trait(DENSITY, is_much=True): mark("many notes"),
    Trait(DENSITY, is_much=False): mark("few notes"),
    Trait(TEMPO, is_much=True): mark("fast songs"),
    Trait(TEMPO, is_much=False): mark("slow songs"),
    Trait(ERA, is_much=True): mark("new songs"),
    Trait(ERA, is_much=False): mark("old songs"),
}


def trait_text(t: Language, trait: Trait) -> str:
    """Return the name of charts with a trait; genres have their own names."""
    word = _WORDS.get(trait)
    return t(word) if word else one_line(trait.name)
