"""`/session`: somebody's recent plays, the largest gains first."""

from collections.abc import Mapping, Sequence
from typing import Final

from discord import Embed

from bot.domain.charts import Song
from bot.domain.chronicle.effects import RatingEffects
from bot.domain.chronicle.session import NearMiss, RecordChange, SessionDiff
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.goals import Goal
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.features.shared.session_report import SessionReport
from bot.ui.card_words import chart_then
from bot.ui.game_ratings import chart_rating, gain_number, gain_text, place_text, turn_text
from bot.ui.goals import goal_text
from bot.ui.kit.icons import difficulty_icon, lamp_icon, rank_name
from bot.ui.kit.look import add_text, listed_title, measure_text, player_embed, player_heading
from bot.ui.language.text import Language
from bot.ui.lists import more_charts, small
from bot.ui.overpower import over_power_text

_MAX_CHARTS: Final = 10
"""The most charts shown: each takes two lines of a phone's screen."""
_LAMPS: Final = (LampFlags.ALL_JUSTICE, LampFlags.FULL_COMBO, LampFlags.FULL_CHAIN)
"""The lamps, the greatest first, as far as they can be compared."""


def session_embed(
    t: Language, report: SessionReport, reached: Sequence[Goal] = (), *, is_short: bool = False
) -> Embed:
    """Return the plays, their effects and the reached goals; short next to a picture that shows the first two."""
    title = t("Session of {player}", player=player_heading(report.player))
    embed = player_embed(t, title, report, shows_rating=True)
    session = report.session
    if session is None:
        add_text(embed, _nothing_before(t, report))
        return embed
    add_text(embed, _span(t, report, session))
    if reached:
        lines = [t("Goal reached: **{goal}**", goal=goal_text(t, goal)) for goal in reached]
        add_text(embed, "\n".join(lines))
    if session.is_empty:
        add_text(embed, t("Nothing new was uploaded in this time."))
        return embed
    notes = _notes(t, report, session)
    if is_short:
        if report.effects and report.effects.turn:
            notes.insert(0, turn_text(t, report.effects.turn, session.before.rating))
        if notes:
            add_text(embed, "\n".join(notes))
        return embed
    add_text(embed, "\n".join(_totals(t, session, report.effects)))
    moved = _moved(session, report.effects)
    if report.effects is not None and moved:
        add_text(embed, "\n".join(moved_lines(t, moved, report.effects, report.songs, report.region)))
    others = session.achievements[len(moved) :]
    if others:
        heading = "" if report.effects is None else t("Also better, {effect}:", effect=t("no change"))
        lines = other_lines(t, others, len(moved), report.songs, report.region, heading)
        add_text(embed, "\n".join(lines))
    if notes:
        add_text(embed, "\n".join(notes))
    return embed


def _nothing_before(t: Language, report: SessionReport) -> str:
    if report.remembered_since is None:
        return t("None of their records are remembered yet: they need to use `/session` once, and then play.")
    return t(
        "Your records are remembered from now on. What you play and upload after this appears here, the next time "
        "you use `/session`."
    )


def _span(t: Language, report: SessionReport, session: SessionDiff) -> str:
    since, until = t.moment(session.since), t.moment(session.until)
    lines = [t("Between {since} and {until}", since=since, until=until)]
    if session.played_at is not None:
        first, last = map(t.moment, session.played_at)
        if first == last:
            lines.append(t("Played {first}", first=first))
        else:
            lines.append(t("Played {first} – {last}", first=first, last=last))
    if report.is_from_first:
        lines.append(t("Nothing is remembered from before that day."))
    return "\n".join(lines)


def _totals(t: Language, session: SessionDiff, effects: RatingEffects | None) -> list[str]:
    before, after = session.before, session.after
    turn = effects and effects.turn
    moved = after.rating - turn.rating if turn else session.rating_change
    change = t.change(Hundredths(moved)) if moved else "±0"
    lines = [turn_text(t, turn, before.rating)] if turn else []
    lines.append(t("Rating **{now}** ({change})", now=t.hundredths(after.rating), change=change))
    if effects is not None and effects.sum_gain > 0:
        lines.append(_made(t, effects))
    if before.over_power is not None and after.over_power is not None:
        gained = after.over_power - before.over_power
        if gained > 0 and not session.fallen:
            lines.append(f"OVER POWER **+{over_power_text(t, OverPower(gained))}**")
    counts = [
        (session.new_records, t.plural("{count} new record", "{count} new records", session.new_records)),
        (session.gains, t.plural("{count} higher score", "{count} higher scores", session.gains)),
        (session.ranks, t.plural("{count} new rank", "{count} new ranks", session.ranks)),
        *(
            (count, f"{lamp_icon(t, lamp)} ×{t.integer(count)}")
            for lamp in _LAMPS
            if (count := session.count(lamp))
        ),
    ]
    told = [text for count, text in counts if count]
    return [*lines, " · ".join(told)] if told else lines


def _made(t: Language, effects: RatingEffects) -> str:
    """Return the total effect of the plays, with exact ratings before and after if they explain the profile's."""
    gain = f"**{gain_number(t, effects.thousandths)}**"
    if not effects.is_explained:
        return t("What was played came to {gain}.", gain=gain)
    then, now = (t.decimal(slots.exact, least=4, most=4) for slots in (effects.before, effects.after))
    return t("What was played came to {gain}: {then} → {now}.", gain=gain, then=then, now=now)


def _moved(session: SessionDiff, effects: RatingEffects | None) -> Sequence[RecordChange]:
    """Return the plays that moved the rating, which are listed first."""
    if effects is None:
        return ()
    return [change for change in session.achievements if effects.gain_of(change) > 0]


def moved_lines(
    t: Language,
    moved: Sequence[RecordChange],
    effects: RatingEffects,
    songs: Mapping[SongId, Song],
    region: Region,
) -> list[str]:
    """Return the effect of each play on the rating; plays not shown are summed up, so that the total is right."""
    lines = [_moved_line(t, change, effects, songs, region) for change in moved[:_MAX_CHARTS]]
    rest = moved[_MAX_CHARTS:]
    if rest:
        together = sum(effects.by_chart[change.chart].thousandths for change in rest)
        lines.append(
            t.plural(
                "and {count} more chart: {gain}",
                "and {count} more charts: {gain}",
                len(rest),
                gain=f"**{gain_number(t, together)}**",
            )
        )
    return lines


def _moved_line(
    t: Language, change: RecordChange, effects: RatingEffects, songs: Mapping[SongId, Song], region: Region
) -> str:
    effect = effects.by_chart[change.chart]
    title = played_title(t, change, songs)
    icon = difficulty_icon(t, change.chart[1])
    facts = [] if change.after is None else played_facts(t, change, change.after, songs, region, icon="")
    place = place_text(t, effect.slot, effects.place_of(change))
    return (
        f"**{gain_text(t, effect)}** {icon} **{title}**\n{small(*facts, place, chart_rating(t, effect.play))}"
    )


def other_lines(
    t: Language,
    others: Sequence[RecordChange],
    moved: int,
    songs: Mapping[SongId, Song],
    region: Region,
    heading: str = "",
) -> list[str]:
    """Return the plays without effect on the rating, if there is room below the `moved` ones; the rest is counted."""
    shown = others[: max(0, _MAX_CHARTS - moved)]
    lines = [heading] if heading and shown else []
    lines += [_line(t, change, songs, region) for change in shown]
    return [*lines, *more_charts(t, len(others) - len(shown))]


def _line(t: Language, change: RecordChange, songs: Mapping[SongId, Song], region: Region) -> str:
    title = f"**{played_title(t, change, songs)}**"
    if change.after is None:
        return title
    return f"{title}\n{' · '.join(played_facts(t, change, change.after, songs, region))}"


def played_title(t: Language, change: RecordChange, songs: Mapping[SongId, Song]) -> str:
    """Return the title of the song played, as lists show it."""
    song = songs.get(change.chart[0])
    return listed_title(song.title) if song else t("a song that the catalogue does not have")


def played_facts(
    t: Language,
    change: RecordChange,
    now: RecordMark,
    songs: Mapping[SongId, Song],
    region: Region,
    *,
    icon: str | None = None,
) -> list[str]:
    """Return the chart, the score and what is new about it; `icon` replaces that of the difficulty."""
    song, difficulty = change.chart
    measure = measure_text(t, chart_then(songs.get(song), difficulty, now.constant))
    score = f"**{t.integer(now.score)}**"
    facts = [
        f"{difficulty_icon(t, difficulty) if icon is None else icon} {measure}".strip(),
        f"{score} ({t.points(change.gain)})" if change.gain else score,
    ]
    if change.is_new:
        facts.append(t("first play"))
    rank = change.rank(region)
    if rank is not None:
        facts.append(rank_name(t, rank))
    return facts + [lamp_icon(t, lamp) for lamp in _LAMPS if lamp in change.lamps][:1]


def near_miss_text(t: Language, miss: NearMiss, songs: Mapping[SongId, Song]) -> str:
    """Return how many points a record is short of a rank."""
    rank, title = rank_name(t, miss.rank), played_title(t, miss.change, songs)
    return t.plural(
        "Nearest miss: {count} point short of {rank} on {title}.",
        "Nearest miss: {count} points short of {rank} on {title}.",
        miss.points,
        rank=rank,
        title=title,
    )


def _notes(t: Language, report: SessionReport, session: SessionDiff) -> list[str]:
    notes: list[str] = []
    miss = session.nearest_miss
    if miss is not None and miss.change.chart[0] in report.songs:
        notes.append(near_miss_text(t, miss, report.songs))
    moved = len(session.moved_constants)
    if report.effects is not None:
        moved = report.effects.count_moved_constants(session)
    if moved:
        notes.append(
            t.plural(
                "The constant of {count} chart among the best has changed, which moves the rating by itself.",
                "The constants of {count} charts among the best have changed, which moves the rating by itself.",
                moved,
            )
        )
    if session.fallen and session.rating_change:
        notes.append(
            t.plural(
                "For a while the service showed {count} record lower than it was, or not at all, which moves the rating by itself.",
                "For a while the service showed {count} records lower than they were, or not at all, which moves the rating by itself.",
                session.fallen,
            )
        )
    return notes
