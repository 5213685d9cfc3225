"""Players' titles in words."""

from collections.abc import Mapping
from typing import Final

from bot.domain.titles import Calling, Manner, Title
from bot.ui.language.text import Language, mark

_MANNERS: Final[Mapping[Manner, str]] = {
    Manner.BUDDING: mark("Budding"),
    Manner.IMMACULATE: mark("Immaculate"),
    Manner.UNERRING: mark("Unerring"),
    Manner.HARMONIOUS: mark("Harmonious"),
    Manner.UNBROKEN: mark("Unbroken"),
    Manner.METICULOUS: mark("Meticulous"),
    Manner.DARING: mark("Daring"),
    Manner.SLEEPLESS: mark("Sleepless"),
    Manner.STEADFAST: mark("Steadfast"),
    Manner.SOARING: mark("Soaring"),
    Manner.CAREFREE: mark("Carefree"),
    Manner.WANDERING: mark("Wandering"),
}
_CALLINGS: Final[Mapping[Calling, str]] = {
    Calling.CLIMBER: mark("Climber"),
    Calling.EXPLORER: mark("Explorer"),
    Calling.CARTOGRAPHER: mark("Cartographer"),
    Calling.TROUBADOUR: mark("Troubadour"),
    Calling.COMET: mark("Comet"),
    Calling.PILGRIM: mark("Pilgrim"),
    Calling.JUGGLER: mark("Juggler"),
    Calling.PAINTER: mark("Painter"),
    Calling.VOYAGER: mark("Voyager"),
    Calling.ALCHEMIST: mark("Alchemist"),
}


def title_text(t: Language, title: Title) -> str:
    """Return a title such as "Sleepless Cartographer"."""
    return t("{manner} {calling}", manner=t(_MANNERS[title.manner]), calling=t(_CALLINGS[title.calling]))
