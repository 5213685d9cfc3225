"""Texts on how a player's rating is made, and on the effects of plays on it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from discord import utils

from bot.domain.chronicle.effects import VersionTurn
from bot.domain.gains import PlayEffect, RatedPlay, RatingSlots, SlotPlace, to_thousandths
from bot.domain.game_rating import (
    BEST_PLACES,
    NEW_PLACES,
    PLACES,
    Explanation,
    SlotCaps,
    SlotEntry,
    WorkedOut,
)
from bot.domain.game_versions import GameVersion
from bot.domain.numbers import Hundredths
from bot.domain.rating import RatingStep, next_rating_step, rating_step
from bot.domain.scores import SlotName
from bot.ui.kit.look import range_text
from bot.ui.kit.markdown import escape
from bot.ui.language.text import Language, mark

STAR: Final = "★"
COLOURS: Final = {
    "blue": mark("BLUE"),
    "green": mark("GREEN"),
    "orange": mark("ORANGE"),
    "red": mark("RED"),
    "purple": mark("PURPLE"),
    "copper": mark("COPPER"),
    "silver": mark("SILVER"),
    "gold": mark("GOLD"),
    "platinum": mark("PLATINUM"),
    "rainbow": mark("RAINBOW"),
    "kiwami": mark("極"),
}
"""The names of the game's colours, by their names in `bot.domain.rating`."""
_TO: Final = "–\N{WORD JOINER}"
"""The dash of a range; no line breaks after it."""


def step_text(t: Language, step: RatingStep) -> str:
    """Return "RAINBOW ★★"."""
    colour = t(COLOURS[step.colour])
    return f"{colour} {STAR * step.stars}".rstrip()


def rating_with_step(t: Language, rating: Hundredths) -> str:
    """Return "16.91" with the colour and stars that the game shows."""
    return f"**{t.hundredths(rating)}** {step_text(t, rating_step(rating))}"


def gain_text(t: Language, effect: PlayEffect) -> str:
    """Return the effect of a play on the player's rating: "+0.011", or that there is none."""
    if effect.sum_gain <= 0:
        return t("no change")
    return gain_number(t, effect.thousandths)


def gain_number(t: Language, thousandths: int) -> str:
    """Return a positive gain in the player's rating: "+0.011", "under +0.001"."""
    if thousandths == 0:
        return t("under {gain}", gain=f"+{_thousandths(t, 1)}")
    return f"{'+' if thousandths > 0 else '−'}{_thousandths(t, abs(thousandths))}"


def together_text(t: Language, explanation: Explanation, rating: Hundredths, sum_gain: Hundredths) -> str:
    """Return the sum of a list's gains: "**+0.034** (16.52 → 16.55)", with ratings if the records explain it.

    If constants are unknown, the sum starts from the profile's `rating`, not from the least possible one.
    """
    worked_out = explanation.worked_out
    slots = RatingSlots.of(worked_out)
    gain = gain_number(t, to_thousandths(sum_gain, slots.places)) if sum_gain else t("no change")
    if slots.rating is None or explanation.is_explained is False:
        return f"**{gain}**"
    now = slots.sum if slots.rating == rating else rating * slots.places
    then = Hundredths((now + sum_gain) // slots.places)
    return f"**{gain}** ({t.hundredths(rating)} → {t.hundredths(then)})"


def place_text(t: Language, slot: SlotName, place: int | None) -> str:
    """Return the place of a chart in its slot; empty if it has none."""
    if place is None:
        return ""
    if slot is SlotName.NEW:
        return t("new songs #{place}", place=t.integer(place))
    return t("best #{place}", place=t.integer(place))


def slot_place_text(t: Language, found: SlotPlace) -> str:
    """Return the place of a chart among all of its slot: "#17 of the best 30"."""
    place = t.integer(found.place)
    if found.slot is SlotName.NEW:
        return t("#{place} of the new {places}", place=place, places=t.integer(NEW_PLACES))
    return t("#{place} of the best {places}", place=place, places=t.integer(BEST_PLACES))


def chart_rating(t: Language, play: RatedPlay) -> str:
    """Return the rating of a play, or the range of it if the constant is unknown."""
    return range_text(t, t.hundredths(play.rating), t.hundredths(play.highest or play.rating))


def entry_rating(t: Language, entry: SlotEntry) -> str:
    """Return the rating of a place in a slot, or the range of it if the constant is unknown."""
    return range_text(t, t.hundredths(entry.rating), t.hundredths(entry.highest))


def turn_text(t: Language, turn: VersionTurn, before: Hundredths) -> str:
    """Return that a version has begun, as a new chapter and not a loss, with the rating before and after."""
    return t(
        "**{version}** has begun: {before} → {after}, because the places for new songs are empty at first.",
        version=turn.version.name,
        before=t.hundredths(before),
        after=t.hundredths(turn.rating),
    )


def turned_text(t: Language, version: GameVersion) -> str:
    """Return that a version has begun since the reader's profile was fetched."""
    return t(
        "**{version}** began on {day}. Your profile is older than that: it shows the new rating once you upload again.",
        version=escape(version.name),
        day=t.day(version.begins_at),
    )


def coming_text(t: Language, version: GameVersion) -> str:
    """Return when a version begins."""
    return t(
        "**{version}** begins on {day}, {when}.",
        version=escape(version.name),
        day=t.day(version.begins_at),
        when=utils.format_dt(version.begins_at, "R"),
    )


def first_steps(t: Language, turn: VersionTurn, change: Hundredths) -> str:
    """Return what was gained since a version began; the drop of the rating at its beginning is no loss."""
    version = escape(turn.version.name)
    if not change:
        return t("{version} has begun", version=version)
    return t("first steps in {version}: {change}", version=version, change=t.change(change))


def no_new_songs_text(t: Language) -> str:
    """Return why there is nothing about new songs."""
    return t("No songs count as new in this game version, or it is not known right now.")


def _thousandths(t: Language, value: int) -> str:
    return t.decimal(Decimal(value).scaleb(-3), least=3, most=3)


def slot_averages(t: Language, worked_out: WorkedOut) -> tuple[str, str]:
    """Return the averages of the slots of older and new songs, over all places; an empty place counts 0."""
    best, new = _slot_sums(worked_out)
    return _range(t, *best, BEST_PLACES), _range(t, *new, NEW_PLACES)


def weighted_averages_of(t: Language, worked_out: WorkedOut) -> tuple[str, str]:
    """Return both averages as "16.369 × 30", without line breaks at the signs."""
    best, new = slot_averages(t, worked_out)
    return (
        f"{best}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{BEST_PLACES}",
        f"{new}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{NEW_PLACES}",
    )


def sum_text(t: Language, worked_out: WorkedOut) -> str:
    """Return how both slots make the rating: "(516.34 + 329.35) ÷ 50 = 16.913", with ranges if constants are unknown."""
    sums = (_TO.join(dict.fromkeys(map(t.hundredths, each))) for each in _slot_sums(worked_out))
    exact = (_thousandths_of(t, each, PLACES) for each in (worked_out.sum, worked_out.highest_sum))
    return f"({' + '.join(sums)}) ÷ {PLACES} = **{_TO.join(dict.fromkeys(exact))}**"


def _slot_sums(worked_out: WorkedOut) -> Iterator[tuple[Hundredths, Hundredths]]:
    """Yield the least and greatest possible sums of the slots of older and new songs."""
    yield Hundredths(sum(entry.rating for entry in worked_out.best)), worked_out.highest_best
    yield Hundredths(sum(entry.rating for entry in worked_out.new)), worked_out.highest_new


def _range(t: Language, least: Hundredths, most: Hundredths, places: int) -> str:
    """Return an average with three decimals, or a range of two."""
    return range_text(t, _thousandths_of(t, least, places), _thousandths_of(t, most, places))


def _thousandths_of(t: Language, total: Hundredths, places: int) -> str:
    return t.decimal(Decimal(total).scaleb(-2) / places, least=3, most=3)


def missing_text(t: Language, worked_out: WorkedOut, rating: Hundredths, caps: SlotCaps | None = None) -> str:
    """Return what an explained rating lacks to its next hundredth, and to the next step.

    If constants are unknown, the sum is at least what the rating requires. Targets that no scores can reach, by `caps`,
    are left out.
    """
    total = max(worked_out.sum, Hundredths(rating * PLACES))
    following, step = Hundredths(rating + 1), next_rating_step(rating)
    if caps is not None:
        most = (caps.best + caps.new) // PLACES
        if following > most:
            return ""
        step = None if step is None or step.lowest > most else step
    lines: list[str] = []
    if step is None or step.lowest != following:  # else both are the same
        lines.append(_missing(t, following, t.hundredths(following), total))
    if step is not None:
        label = f"{t.hundredths(step.lowest)} {step_text(t, step)}"
        lines.append(_missing(t, step.lowest, label, total))
    return "\n".join(lines)


def _missing(t: Language, target: Hundredths, label: str, total: Hundredths) -> str:
    missing = Hundredths(target * PLACES - total)
    # Rounded up, never less than what is missing.
    thousandths = -(-missing * 10 // PLACES)
    return t(
        "{target}: {gain} to go ({sum} in song ratings)",
        target=label,
        gain=f"**{_thousandths(t, thousandths)}**",
        sum=t.hundredths(missing),
    )
