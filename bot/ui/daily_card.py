"""What is written on the picture of a daily post, in the language of the post."""

from collections.abc import Callable, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostKind, PostOption
from bot.domain.rating import class_floor
from bot.domain.standings import Standing, chosen, outstanding
from bot.features.daily import DailyPost
from bot.ui.cards import CurveLine, DailyBar, DailyPicture, DailyStep, DayScore, DeltaText, Move, draw_daily
from bot.ui.cards.daily import MAX_BARS, MAX_STEPS
from bot.ui.kit.markdown import one_line
from bot.ui.kit.renderer import Picture, PictureRenderer
from bot.ui.language.text import Language
from bot.ui.session_card import change_words, moved_text, played_tile, rating_text


async def daily_card(renderer: PictureRenderer, t: Language, post: DailyPost) -> Picture | None:
    """Return the picture of a post, drawn in the renderer; None without news, or where the plan wants none."""
    if not post.has_news or PostOption.NO_PICTURE in post.plan.options:
        return None
    picture = daily_picture(t, post)
    theme = Theme.LIGHT if PostOption.LIGHT in post.plan.options else Theme.DARK
    return await renderer.picture(daily_card_alt(t, picture), None, draw_daily, picture, theme)


def daily_picture(t: Language, post: DailyPost) -> DailyPicture:
    """Return what is written on the picture of a post."""
    shown = chosen(post.standings, MAX_STEPS + MAX_BARS)
    steps, bars = shown[:MAX_STEPS], shown[MAX_STEPS:]
    more = sum(each.has_moved for each in post.standings) - len(shown)
    largest = max((abs(each.change) for _, each in shown if each.change), default=1)
    is_first = all(each.change is None for each in post.standings)
    return DailyPicture(
        title=day_text(post, t.weekday),
        note=t("first day") if is_first else _since(t, post),
        facts=tuple(daily_facts(t, post.standings)),
        steps=tuple(_step(t, place, each) for place, each in steps),
        bars_heading=t("And then"),
        bars_note=t("what each gained"),
        bars=tuple(_bar(t, place, each, largest) for place, each in bars),
        more=t.plural("and {count} more member", "and {count} more members", more) if more else "",
        score=_score(t, post),
        empty=t("Nobody's rating has changed."),
        foot=f"{t.moment(post.made_at)} ({t.zone.key})",
        sign=f"Kiroku · /{t.command_name('daily')}",
    )


def _since(t: Language, post: DailyPost) -> str:
    moment = t.moment(post.since)
    if post.has_returned:
        return t("since {moment}, or since last shown", moment=moment)
    return t("since {moment}", moment=moment)


def day_text(post: DailyPost, written: Callable[[date], str]) -> str:
    """Return of which day a post is, or of which days."""
    if post.plan.what is PostKind.DAILY:
        return written(post.day)
    return f"{written(post.since.astimezone(ZoneInfo(post.plan.timezone)).date())} – {written(post.day)}"


def daily_facts(t: Language, standings: Sequence[Standing]) -> list[tuple[str, str]]:
    """Return what the day came to: values and their labels."""
    played = sum(each.has_moved for each in standings)
    bests = sum(each.bests for each in standings)
    together = sum(each.change or 0 for each in standings)
    facts: list[tuple[str, str]] = []
    if len(standings) > 1:
        told = t("{count} of {all}", count=t.integer(played), all=t.integer(len(standings)))
        facts.append((told, t("with news")))
    if bests:
        facts.append((t.integer(bests), t.plural("new best", "new bests", bests)))
    if together > 0:
        facts.append((t.change(Hundredths(together)), t("together")))
    return facts


def lamp_facts(t: Language, standings: Sequence[Standing]) -> list[tuple[str, str]]:
    """Return how many lamps are new, as `daily_facts`."""
    feats = [each.feats for each in standings if each.feats]
    counts = {"AJ": sum(each.all_justices for each in feats), "FC": sum(each.full_combos for each in feats)}
    return [(t.integer(count), lamp) for lamp, count in counts.items() if count]


def daily_card_alt(t: Language, picture: DailyPicture) -> str:
    """Return the picture in words: the day, its facts, and the first members shown."""
    facts = t.all_of(f"{value} {label}" for value, label in picture.facts)
    steps = t.all_of(
        " ".join([each.name, each.rating.text, *change_words(each.change)]) for each in picture.steps
    )
    parts = [each for each in (facts, steps or picture.empty) if each]
    if len(parts) == 1:
        return t("{day}: {members}.", day=picture.title, members=parts[0])
    return t("{day}: {facts}; {members}.", day=picture.title, facts=facts, members=steps or picture.empty)


def _step(t: Language, place: int, standing: Standing) -> DailyStep:
    return DailyStep(
        place=t.integer(place),
        name=one_line(standing.player_name),
        rating=rating_text(t, standing.rating),
        change=_change(t, standing),
        curve=_curve(standing.ratings),
    )


def _change(t: Language, standing: Standing) -> DeltaText | None:
    """Return what a member gained since the post before; that it is their first day, where nothing can be said."""
    if standing.change is None:
        return DeltaText(Move.NEW, t("first day"))
    return moved_text(t, standing.change) if standing.change else None


def _curve(ratings: Sequence[Hundredths]) -> CurveLine | None:
    if len(ratings) < 2:  # noqa: PLR2004 - a line needs two ends
        return None
    return CurveLine(tuple(map(float, ratings)), float(class_floor(ratings[-1])))


def _bar(t: Language, place: int, standing: Standing, largest: int) -> DailyBar:
    return DailyBar(
        place=t.integer(place),
        name=one_line(standing.player_name),
        rating=rating_text(t, standing.rating),
        change=_change(t, standing),
        share=abs(standing.change or 0) / largest,
    )


def _score(t: Language, post: DailyPost) -> DayScore | None:
    found = outstanding(post.standings)
    if not found or PostOption.NO_PLAYS in post.plan.options:
        return None
    standing, play = found[0]
    above = t("{rating} above their own rating", rating=t.hundredths(play.above)) if play.above > 0 else ""
    return DayScore(
        heading=t("Best play"),
        tile=played_tile(t, play.region, play.change, play.now, post.songs.get(play.change.chart[0])),
        name=one_line(standing.player_name),
        note=above,
    )
