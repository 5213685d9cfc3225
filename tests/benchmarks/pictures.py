"""Invented pictures of every kind, in the words of each language, from the empty one to the fullest."""

from collections import Counter
from typing import Final

from inventing import LONG, NAMES, RANKS, Inventor

from bot.domain.game_rating import BEST_PLACES, NEW_PLACES
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank, rank_of
from bot.ui.card_words import moved_text, rating_text, to_go_text
from bot.ui.cards.best import BestCard, Legend, Section
from bot.ui.cards.comparison import ChartMeeting, ComparisonCard, Opponent
from bot.ui.cards.completion import CompletionPicture, Plate, Row
from bot.ui.cards.daily import DailyCard, DailyPlace
from bot.ui.cards.heroes import Hero, RatingSum, SumRow
from bot.ui.cards.plates import DeltaText, LampBadge, Move
from bot.ui.cards.plays import Play
from bot.ui.cards.session import Effect, SessionCard
from bot.ui.cards.tiers import TierChart, TierRow, TiersCard
from bot.ui.kit.look import range_text

WHEN: Final = "11/22/26, 10:20 PM"


def best_section(
    one: Inventor,
    heading: str,
    *,
    places: int,
    filled: int,
    highest: int,
    is_new: bool = False,
    free: str = "",
) -> Section:
    t = one.t
    tiles = tuple(
        one.tile(place, highest - 2 * place, one.change(), is_new=is_new) for place in range(1, filled + 1)
    )
    missing = places - filled
    floor = t("floor {rating}: a score rated above it enters", rating=tiles[-1].rating if tiles else "0.00")
    short = t("floor {rating}", rating=tiles[-1].rating if tiles else "0.00")
    if missing:
        floor = t.plural("{count} place free: it counts 0", "{count} places free: each counts 0", missing)
        short = t.plural("{count} place free", "{count} places free", missing)
    return Section(
        heading=heading,
        note=f"{t('average {average}', average='16.467')}  {t('songs of this version') if is_new else t('older songs')}",
        phone_note=f"{t('this version') if is_new else t('older songs')} · {short}",
        average=t("∅ {average}", average="16.46"),
        is_new=is_new,
        places=places,
        tiles=tiles,
        free=free or t("free"),
        floor=floor,
    )


def invented_best(
    seed: int = 1,
    language: str = "en",
    *,
    rating: int = 1691,
    best: int = BEST_PLACES,
    new: int | None = NEW_PLACES,
    places: int = BEST_PLACES,
    has_history: bool = True,
    is_long: bool = False,
) -> BestCard:
    """Return a card of so many records in each slot; without new ones, of one slot."""
    one = Inventor(seed, language, is_long=is_long)
    t, since = one.t, one.t("since {moment}", moment="Oct 25, 2026")
    sections = [
        best_section(one, t("BEST {places}", places=places), places=places, filled=best, highest=1751)
    ]
    rows = [SumRow(sections[0].heading, "17.211", "× 30", "516.34")]
    if new is not None:
        heading = t("NEW {places}", places=NEW_PLACES)
        sections.append(best_section(one, heading, places=NEW_PLACES, filled=new, highest=1720, is_new=True))
        rows.append(SumRow(heading, "16.467", "× 20", "329.35", is_new=True))
    lamps = ("FULL COMBO", "ALL JUSTICE", "1,010,000", "FULL CHAIN")
    marks = (LampBadge.FULL_COMBO, LampBadge.ALL_JUSTICE, LampBadge.ALL_CRITICAL, LampBadge.FULL_CHAIN)
    changes = (
        (DeltaText(Move.UP, ""), t("gained in rating")),
        (DeltaText(Move.UP, t("IN")), t("came in {since}", since=since)),
    )
    return BestCard(
        hero=Hero(
            rating=rating_text(t, Hundredths(rating)),
            change=DeltaText(Move.UP, "0.03") if has_history else None,
            since=since if has_history else "",
            name=one.name(),
            title=LONG if is_long else t("Sleepless Cartographer") if language == "en" else "眠らぬ地図職人",
            to_go=to_go_text(t, Hundredths(rating)),
            last_step="極 17.00",
            sum=RatingSum(tuple(rows), "845.69 ÷ 50", "÷ 50", "16.91", t("in all"))
            if new is not None
            else None,
            curve=one.curve(rating, "Jul 13, 2026") if has_history else None,
        ),
        sections=tuple(sections),
        legend=Legend(lamps=tuple(zip(marks, lamps, strict=True)), changes=changes if has_history else ()),
        when=WHEN,
        version="Game version of the scores: jp2 · rating as in the profile",
        sign=f"Kiroku · /{t.command_name('best')}",
    )


def invented_session(
    seed: int = 1,
    language: str = "en",
    *,
    rating: int = 1691,
    effects: int = 6,
    others: int = 9,
    is_change: bool = True,
    has_play: bool = True,
    is_long: bool = False,
) -> SessionCard:
    """Return a session that moved the rating, or one that did not and shows how close it came."""
    one = Inventor(seed, language, is_long=is_long)
    t, at, shown = one.t, float(rating - 5), list[Effect]()
    for number in range(effects):
        tile, gain = one.tile(is_new=number % 2 == 0), one.dice.uniform(0.2, 2)
        start, end = (
            (at, at + gain) if is_change else (1713 - one.dice.uniform(5, 30), 1713 - one.dice.uniform(1, 5))
        )
        at += gain
        shown.append(
            Effect(
                tile=tile,
                origin=t("from {rating}", rating="16.52") if number % 2 else t("first play"),
                place=f"{t('NEW {places}', places=2)}" if tile.is_new else t("BEST {places}", places=30),
                tag=t("NEW") if tile.is_new else "",
                text=f"+{gain / 100:.4f}" if is_change else t("{gap} short", gap="0.03"),
                start=start,
                end=end,
            )
        )
    counts = (
        ("24", t.plural("new record", "new records", 24)), ("15", t.plural("higher score", "higher scores", 15)),
        ("2", t("entered the best")), ("3", t.plural("new lamp", "new lamps", 3)),
    )  # fmt: skip
    play = Play(
        tile=one.tile(is_new=True),
        tag=t("NEW SONG") if is_change else "",
        effect="+0.0206" if is_change else "",
        facts=" · ".join([t("of the rating"), t("first play")]) if is_change else t("the first on it"),
        short_facts=t("first play") if is_change else t("the first on it"),
    )
    return SessionCard(
        player=one.name(),
        when="11/22/26, 6:04 PM – 9:22 PM",
        short_when=t.plural("{count} better score", "{count} better scores", 24),
        before=t.hundredths(Hundredths(rating - 5)) if is_change else "",
        from_before=t("from {rating}", rating=t.hundredths(Hundredths(rating - 5))) if is_change else "",
        rating=rating_text(t, Hundredths(rating)),
        change=moved_text(t, Hundredths(5)) if is_change else DeltaText(Move.NONE, "±0.00"),
        to_go=to_go_text(t, Hundredths(rating)),
        counts=counts,
        play=play if has_play else None,
        effects_heading=t("What made the {change}", change="+0.05")
        if is_change
        else t("Closest to counting"),
        effects_note=t("exactly {before} → {after}: shown rounded down", before="16.8682", after="16.9138")
        if is_change
        else "",
        effects=tuple(shown),
        together=(t("together"), "+0.0456") if is_change and shown else None,
        ticks=tuple((float(rating - 5 + each), f"{(rating - 5 + each) / 100:.2f}") for each in range(6))
        if is_change and shown
        else (),
        floor=None if is_change or not shown else 1713.0,
        floor_text="" if is_change else t("floor {rating}", rating="17.13"),
        others_heading=t("Also better"),
        others_note=t("nothing for the rating"),
        others=tuple(
            one.tile(change=DeltaText(Move.UP, f"{one.dice.randint(40, 4000):,}")) for _ in range(others)
        ),
        more=t.plural("and {count} more chart", "and {count} more charts", 12) if is_long else "",
        empty=t("Nothing new was uploaded in this time."),
        foot=WHEN,
        sign=f"Kiroku · /{t.command_name('session')}",
    )


def invented_daily(
    seed: int = 1,
    language: str = "en",
    *,
    members: int = 12,
    more: int = 0,
    has_play: bool = True,
    has_history: bool = True,
    is_long: bool = False,
) -> DailyCard:
    """Return a server's day."""
    one = Inventor(seed, language, is_long=is_long)
    t, dice = one.t, one.dice
    ratings = sorted(
        (dice.choice([1691, 1712, *(dice.randint(0, 1760) for _ in range(8))]) for _ in range(members)),
        reverse=True,
    )
    changes = [
        dice.choice(
            [
                moved_text(t, Hundredths(dice.randint(1, 12))),
                DeltaText(Move.NONE, "–"),
                DeltaText(Move.NONE, "±0"),
                DeltaText(Move.NONE, t("first day")),
            ]
        )
        for _ in ratings
    ]
    changes[members // 2] = moved_text(t, Hundredths(21))
    return DailyCard(
        title="Sunday, November 22" if language == "en" else "11月22日日曜日",
        note=t.plural("{count} new best", "{count} new bests", 57),
        total=DeltaText(Move.UP, "0.38") if members > 1 else None,
        total_note=t("{count} of {all} with news", count=9, all=members) if members > 1 else "",
        members=tuple(
            DailyPlace(
                place=t.integer(place),
                name=one.name() if is_long else NAMES[place % len(NAMES)],
                rating=rating_text(t, Hundredths(rating)),
                change=change,
                is_largest=place == members // 2 + 1,
                curve=one.curve(rating, "Oct 23, 2026") if has_history and place <= 3 else None,
            )
            for place, (rating, change) in enumerate(zip(ratings, changes, strict=True), start=1)
        ),
        to_go="0.09 to 極",
        more=t.plural("and {count} more member", "and {count} more members", more) if more else "",
        play_heading=t("Play of the day"),
        play=Play(
            tile=one.tile(is_new=True), by=one.name() if members > 1 else "", short_facts=t("first play")
        )
        if has_play
        else None,
        foot=t("since {moment}", moment=WHEN),
        sign=f"Kiroku · /{t.command_name('daily')}",
    )


def invented_comparison(
    seed: int = 1, language: str = "en", *, meetings: int = 9, is_long: bool = False
) -> ComparisonCard:
    """Return two players beside each other."""
    one = Inventor(seed, language, is_long=is_long)
    t, dice, shown = one.t, one.dice, list[ChartMeeting]()
    averages = (t("best {best}", best=range_text(t, "17.190", "17.210")), t("new {new}", new="16.460"))
    for gap in sorted((dice.randint(-400, 400) for _ in range(meetings)), key=abs):
        tile, score = one.tile(), dice.randint(1_000_000, 1_009_000)
        shown.append(
            ChartMeeting(
                title=tile.title, face=tile.face, difficulty=tile.difficulty, chart=tile.chart,
                scores=(t.integer(score + gap), t.integer(score)), gap=gap, gap_text=f"+{abs(gap)}",
            )
        )  # fmt: skip
    return ComparisonCard(
        opponents=(
            Opponent(name=one.name(), rating=rating_text(t, Hundredths(1691)), averages=averages, wins=20 if meetings else 0, wins_text="20"),
            Opponent(name=one.name(), rating=rating_text(t, Hundredths(1305)), averages=averages, wins=27 if meetings else 0, wins_text="27"),
        ),
        versus=t("vs"),
        note=t.plural("ahead, of {count} chart both played", "ahead, of {count} charts both played", 47),
        heading=t("The closest"),
        heading_note=t("points ahead"),
        meetings=tuple(shown),
        foot=WHEN,
        sign=f"Kiroku · /{t.command_name('compare')}",
    )  # fmt: skip


def _plate(one: Inventor) -> Plate:
    title = one.title()
    rank = (
        one.dice.choice(RANKS)
        if one.is_long
        else one.dice.choices(["", *RANKS[:7]], [3, 4, 9, 8, 5, 3, 1, 1])[0]
    )
    earned = (None, None, LampBadge.FULL_COMBO, LampBadge.ALL_JUSTICE, LampBadge.ALL_CRITICAL)
    return Plate(
        title=title,
        face=one.face(title),
        difficulty=one.tile().difficulty,
        rank=rank,
        lamp=one.dice.choice(earned[-1:] if one.is_long else earned) if rank else None,
    )


def counted(plates: list[Plate]) -> tuple[tuple[str, int], ...]:
    """Return how many charts have each rank, as the picture tells them."""
    counts = Counter(plate.rank for plate in plates if plate.rank)
    told = [*((rank, counts[rank]) for rank in RANKS[:6]), ("< S", sum(counts[rank] for rank in RANKS[6:]))]
    return tuple((rank, many) for rank, many in told if many)


def invented_table(
    seed: int = 1, language: str = "en", *, charts: int = 60, rows: int = 28, is_long: bool = False
) -> CompletionPicture:
    """Return a table whose rows have at most so many charts."""
    one = Inventor(seed, language, is_long=is_long)
    t, plates, found = one.t, [_plate(one) for _ in range(charts)], list[Row]()
    left = plates
    while left:
        part, left = left[: (many := one.dice.randint(min(2, rows), rows))], left[many:]
        label = f"{(155 - len(found)) / 10}{'?' * is_long}"
        played = t("{played} of {count}", played=sum(bool(plate.rank) for plate in part), count=len(part))
        found.append(Row(label, tuple(part), tuple(part), played, counted(part)))
    return CompletionPicture(
        title=LONG if is_long else "level:14+",
        note=f"{one.name()} · {t('by constant')}",
        facts=((f"{charts // 2} / {charts}", t("played")), ("31", "FULL COMBO"), ("9", "ALL JUSTICE")),
        ranks=tuple((rank, many, str(many)) for rank, many in counted(plates)),
        rows=tuple(found),
        more=t("All charts are on the wide picture."),
        foot=WHEN,
        sign=f"Kiroku · /{t.command_name('table')}",
    )


def _open(one: Inventor) -> TierChart:
    plate, share, missing = _plate(one), one.dice.random(), one.dice.randint(1, 30_000)
    rank = rank_of(Rank.SSS.least_score - missing, JP2).label if plate.rank else ""
    return TierChart(
        title=plate.title, face=plate.face, difficulty=plate.difficulty, constant="14.8", rank=rank,
        missing=f"−{missing:,}" if rank else one.t("not played"), chance=f"{share:.0%}", share=share,
    )  # fmt: skip


def invented_tiers(
    seed: int = 1, language: str = "en", *, rows: int = 7, charts: int = 34, is_long: bool = False
) -> TiersCard:
    """Return tiers of at most so many charts each."""
    one = Inventor(seed, language, is_long=is_long)
    found: list[TierRow] = []
    for number in range(rows):
        done, left = one.dice.randint(0, charts), one.dice.randint(0, min(30, charts)) if charts else 0
        found.append(
            TierRow(
                label=("≤ 14.5", "14.6", "14.7", "14.8", "14.9", "15.0", "15.1+")[number],
                done=done, count=max(1, done + left), count_text=f"{done} of {done + left}",
                done_titles=tuple(one.title() for _ in range(min(done, 9))),
                open_charts=tuple(_open(one) for _ in range(left)), more="and {count} more",
            )
        )  # fmt: skip
    ranks = counted([_plate(one) for _ in range(sum(row.count for row in found))])
    name = one.name()
    return TiersCard(
        title=f"Level 14+ for {name}",
        note="from easy to hard for you, as your own scores say",
        notes=(f"easy to hard for {name}", "the next to tick off · % of players have SSS"),
        facts=(("145 of 237", "done: SSS"), ("92", "still open")),
        ranks=ranks, rows=tuple(found),
        legend=("done: SSS, the best first", "53% players who have SSS on it", "−1,204 points short of SSS"),
        foot=WHEN, sign="Kiroku · /tiers",
    )  # fmt: skip
