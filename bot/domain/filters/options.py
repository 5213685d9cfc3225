"""The words that keys with few values take."""

from typing import Final

from bot.domain import versions
from bot.domain.filters.values import Option
from bot.domain.filters.words import every_name
from bot.domain.ranks import Rank

DIFFICULTIES: Final = (
    Option(every_name("bas", "basic"), 0),
    Option(every_name("adv", "advanced"), 1),
    Option(every_name("exp", "expert"), 2),
    Option(every_name("mas", "master"), 3),
    Option(every_name("ult", "ultima"), 4),
    Option(every_name("we", "worldsend", "world'send"), 5),
)
"""Numbered as `difficulty_order` sorts them; players say the colours too."""

GENRES: Final = (
    ("POPS&ANIME", Option(every_name("pops"), 0)),
    ("niconico", Option(every_name("niconico"), 1)),
    ("東方Project", Option(every_name("toho"), 2)),
    ("VARIETY", Option(every_name("variety"), 3)),
    ("イロドリミドリ", Option(every_name("irodori"), 4)),
    ("ゲキマイ", Option(every_name("gekimai"), 5)),
    ("ORIGINAL", Option(every_name("orig"), 6)),
    ("WORLD'S END", Option(every_name("we"), 7)),
)
"""The genre as the catalogue writes it, and its filter code. Source: specification, records/filter."""

LAMPS: Final = (
    Option(every_name("failed"), 0),
    Option(every_name("clear"), 1),
    Option(every_name("fc", "fullcombo"), 2),
    Option(every_name("aj", "alljustice"), 3),
    Option(every_name("ajc", "max"), 4),
)
"""From the least to the most; the last is all justice with every note critical: the maximum score."""

RANKS: Final = tuple(Option((rank.label.casefold(),), number) for number, rank in enumerate(Rank))

VERSIONS: Final = tuple(
    Option((*every_name(version.names[0]), *version.names[1:]), number)
    for number, version in reversed([*enumerate(versions.VERSIONS)])
)
"""Numbered from the oldest on; the newest is offered first."""

YES_NO: Final = (
    Option(every_name("yes", "true", "1"), 1),
    Option(every_name("no", "false", "0"), 0),
)
