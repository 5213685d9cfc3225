"""The texts on the picture of a daily post, in the language of the post."""

from collections.abc import Callable, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostKind, PostOption
from bot.domain.standings import Standing, in_order, outstanding
from bot.features.daily import DailyPost
from bot.ui.card_words import change_words, moved_text, played_tile, rating_text, to_go_text
from bot.ui.cards.curves import CurveLine
from bot.ui.cards.daily import MAX_MEMBERS, DailyCard, DailyPlace
from bot.ui.cards.drawn import draw_daily
from bot.ui.cards.plates import DeltaText, Move
from bot.ui.cards.plays import Play
from bot.ui.game_ratings import gain_text, place_text
from bot.ui.kit.alternative import Listed, alternative, said
from bot.ui.kit.markdown import one_line
from bot.ui.kit.renderer import Picture, PictureRenderer
from bot.ui.language.text import Language


async def daily_picture(renderer: PictureRenderer, t: Language, post: DailyPost) -> Picture | None:
    """Return the picture of a post, drawn in the renderer; None without news, or if the plan wants none."""
    if not post.has_news or PostOption.NO_PICTURE in post.plan.options:
        return None
    card = daily_card(t, post)
    theme = Theme.LIGHT if PostOption.LIGHT in post.plan.options else Theme.DARK
    return await renderer.picture(daily_card_alt(t, card), None, draw_daily, card, theme)


def daily_card(t: Language, post: DailyPost) -> DailyCard:
    """Return the texts on the picture of a post."""
    standings = post.standings
    shown = _shown(standings)
    more, many = len(standings) - len(shown), len(standings)
    largest = max((each.change or 0 for each in standings), default=0)
    total = sum(each.change or 0 for each in standings)
    bests = sum(each.bests for each in standings)
    moved = sum(each.has_moved for each in standings)
    is_first = all(each.change is None for each in standings)
    note = t.plural("{count} new best", "{count} new bests", bests) if bests else ""
    return DailyCard(
        title=day_text(post, t.weekday),
        note=note,
        total=moved_text(t, Hundredths(total)) if total and many > 1 else None,
        total_note=t("{count} of {all} with news", count=t.integer(moved), all=t.integer(many))
        if many > 1
        else "",
        members=tuple(
            _member(t, place if many > 1 else None, each, is_largest=0 < largest == each.change and many > 1)
            for place, each in shown
        ),
        to_go="".join(part for part, _is_figure in to_go_text(t, standings[0].rating)) if many == 1 else "",
        more=t.plural("and {count} more member", "and {count} more members", more) if more else "",
        play_heading=t("Play of the day"),
        play=_play(t, post),
        foot=t("first day") if is_first else since_text(t, post),
        sign=f"Kiroku · /{t.command_name('daily')}",
    )


def _shown(standings: Sequence[Standing]) -> list[tuple[int, Standing]]:
    """Return the members on the picture, by rating; if there are too many, those with a change, then the highest rated."""
    placed = in_order(standings)
    if len(placed) <= MAX_MEMBERS:
        return placed
    by_news = sorted(placed, key=lambda each: (not each[1].has_moved, -(each[1].change or 0), -each[1].bests))
    kept = {standing.member for _place, standing in by_news[:MAX_MEMBERS]}
    return [(place, standing) for place, standing in placed if standing.member in kept]


def since_text(t: Language, post: DailyPost) -> str:
    """Return since when a post counts, for all members or for most."""
    moment = t.moment(post.since)
    if post.has_returned:
        return t("since {moment}, or since last shown", moment=moment)
    return t("since {moment}", moment=moment)


def day_text(post: DailyPost, written: Callable[[date], str]) -> str:
    """Return the day or days of a post."""
    if post.plan.what is PostKind.DAILY:
        return written(post.day)
    return f"{written(post.since.astimezone(ZoneInfo(post.plan.timezone)).date())} – {written(post.day)}"


def daily_facts(t: Language, standings: Sequence[Standing]) -> list[tuple[str, str]]:
    """Return the summary of the day: values and their labels."""
    played = sum(each.has_moved for each in standings)
    bests = sum(each.bests for each in standings)
    together = sum(each.change or 0 for each in standings)
    facts: list[tuple[str, str]] = []
    if len(standings) > 1:
        told = t("{count} of {all}", count=t.integer(played), all=t.integer(len(standings)))
        facts.append((told, t("with news")))
    if bests:
        facts.append((t.integer(bests), t.plural("new best", "new bests", bests)))
    if together > 0 and len(standings) > 1:
        facts.append((t.change(Hundredths(together)), t("together")))
    return facts


def lamp_facts(t: Language, standings: Sequence[Standing]) -> list[tuple[str, str]]:
    """Return the numbers of new lamps, in the form of `daily_facts`."""
    feats = [each.feats for each in standings if each.feats]
    counts = {
        "AJ": sum(each.all_justices for each in feats),
        "FC": sum(each.mere_full_combos for each in feats),
    }
    return [(t.integer(count), lamp) for lamp, count in counts.items() if count]


def daily_card_alt(t: Language, card: DailyCard) -> str:
    """Return the alternative text: the day, its summary, who gained most, and the members in order."""
    facts = t.all_of(filter(None, [card.note, card.total_note, *change_words(t, card.total)]))
    largest = next((member for member in card.members if member.is_largest), None)
    most = t.all_of([said(largest.name), *change_words(t, largest.change)]) if largest else ""
    return alternative(
        t,
        t("{day}: {facts}.", day=card.title, facts=facts) if facts else t("{facts}.", facts=card.title),
        t("Most gained: {member}.", member=most) if most else "",
        _play_words(t, card),
        Listed(t("{list}."), [_words(t, member) for member in card.members]),
    )


def _play_words(t: Language, card: DailyCard) -> str:
    if card.play is None:
        return ""
    tile = card.play.tile
    play = " ".join([said(tile.title), tile.difficulty, tile.number])
    by = [said(card.play.by)] if card.play.by else []
    return t("{heading}: {facts}.", heading=card.play_heading, facts=t.all_of([play, *by]))


def _words(t: Language, member: DailyPlace) -> str:
    place = f"{member.place} " if member.place else ""
    return " ".join([f"{place}{said(member.name)} {member.rating.text}", *change_words(t, member.change)])


def _member(t: Language, place: int | None, standing: Standing, *, is_largest: bool) -> DailyPlace:
    return DailyPlace(
        place="" if place is None else t.integer(place),
        name=one_line(standing.player_name),
        rating=rating_text(t, standing.rating),
        change=_change(t, standing),
        is_largest=is_largest,
        curve=_curve(t, standing),
    )


def _change(t: Language, standing: Standing) -> DeltaText:
    """Return a member's gain since the previous post; without one, that it is the first day, "±0", or "–" without news."""
    if standing.change is None:
        return DeltaText(Move.NONE, t("first day"))
    if standing.change:
        return moved_text(t, standing.change)
    return DeltaText(Move.NONE, "±0" if standing.has_moved else "–")


def _curve(t: Language, standing: Standing) -> CurveLine | None:
    """Return the curve of a rating; its days are unknown."""
    ratings = standing.ratings
    if len(ratings) < 2:  # noqa: PLR2004 - a line needs two ends
        return None
    span = f"{t.hundredths(ratings[0])} → {t.hundredths(ratings[-1])}"
    return CurveLine(
        tuple(map(float, ratings)), t.plural("{count} look", "{count} looks", len(ratings)), span
    )


def _play(t: Language, post: DailyPost) -> Play | None:
    found = outstanding(post.standings)
    if not found or PostOption.NO_PLAYS in post.plan.options:
        return None
    standing, play = found[0]
    above = t("{rating} above their own rating", rating=t.hundredths(play.above)) if play.above > 0 else ""
    if play.effect is not None:
        above = f"{gain_text(t, play.effect)} {place_text(t, play.effect.slot, play.place)}".rstrip()
    tile = played_tile(t, play.region, play.change, play.now, post.songs.get(play.change.chart[0]))
    name = one_line(standing.player_name) if len(post.standings) > 1 else ""
    return Play(tile=tile, by=name, facts=above, short_facts=above)
