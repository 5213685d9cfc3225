"""What the tools take, with what an assistant has to know of it."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from bot.mcp.answers import MAX_ITEMS

MAX_DAYS: Final = 365

FilterText: TypeAlias = Annotated[
    str,
    Field(
        max_length=300,
        description=(
            "Conditions, separated by spaces, that must all hold; a comma means or, a minus sign in front excludes."
            " Of charts: const>=14.5 const:14.0..14.4 level:14+ diff:mas,ult,we genre:toho bpm>200 combo>=2000"
            " release>=2026-01 version:verse artist:NAME title:NAME."
            " Of the player's scores: score>=1007k rank>=sss rank<sss lamp:fc,aj -lamp:aj played:no rating>=16"
            " updated>=2026-01-31. Any other word is searched for in titles and artists."
            " Empty lets everything through."
        ),
    ),
]
SongText: TypeAlias = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="A song_id from another answer, or a title or a part of it.",
    ),
]
DifficultyName: TypeAlias = Annotated[
    Literal["BASIC", "ADVANCED", "EXPERT", "MASTER", "ULTIMA"] | None,
    Field(description="Of the song's charts; the hardest where none is named."),
]
PageNumber: TypeAlias = Annotated[
    int, Field(ge=1, le=1_000, description=f"Of pages with {MAX_ITEMS} entries each.")
]
TargetRating: TypeAlias = Annotated[
    float | None,
    Field(ge=0, le=30, description="A rating such as 16.5; 0.10 above today's where none is named."),
]
Days: TypeAlias = Annotated[
    int, Field(ge=1, le=MAX_DAYS, description="How many days to look back, today among them.")
]
