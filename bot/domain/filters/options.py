"""The words for the values of keys with few values."""

from typing import Final

from bot.domain import versions
from bot.domain.filters.values import FilterValue
from bot.domain.filters.words import every_name
from bot.domain.ranks import Rank

DIFFICULTIES: Final = (
    FilterValue(every_name("bas", "basic"), 0),
    FilterValue(every_name("adv", "advanced"), 1),
    FilterValue(every_name("exp", "expert"), 2),
    FilterValue(every_name("mas", "master"), 3),
    FilterValue(every_name("ult", "ultima"), 4),
    FilterValue(every_name("we", "worldsend", "world'send"), 5),
)
"""The difficulties, numbered in the order of `difficulty_order`; players also use the colours."""

GENRES: Final = (
    ("POPS&ANIME", FilterValue(every_name("pops"), 0)),
    ("niconico", FilterValue(every_name("niconico"), 1)),
    ("東方Project", FilterValue(every_name("toho"), 2)),
    ("VARIETY", FilterValue(every_name("variety"), 3)),
    ("イロドリミドリ", FilterValue(every_name("irodori"), 4)),
    ("ゲキマイ", FilterValue(every_name("gekimai"), 5)),
    ("ORIGINAL", FilterValue(every_name("orig"), 6)),
    ("WORLD'S END", FilterValue(every_name("we"), 7)),
)
"""The genre as the catalogue writes it, and its filter code. Source: specification, records/filter."""

LAMPS: Final = (
    FilterValue(every_name("failed"), 0),
    FilterValue(every_name("clear"), 1),
    FilterValue(every_name("fc", "fullcombo"), 2),
    FilterValue(every_name("aj", "alljustice"), 3),
    FilterValue(every_name("ajc", "max"), 4),
)
"""The lamps from lowest to highest; the last is all justice with every note critical: the maximum score."""

RANKS: Final = tuple(FilterValue((rank.label.casefold(),), number) for number, rank in enumerate(Rank))

VERSIONS: Final = tuple(
    FilterValue((*every_name(version.names[0]), *version.names[1:]), number)
    for number, version in reversed([*enumerate(versions.VERSIONS)])
)
"""The versions, numbered from the oldest on; the newest is offered first."""

YES_NO: Final = (
    FilterValue(every_name("yes", "true", "1"), 1),
    FilterValue(every_name("no", "false", "0"), 0),
)
