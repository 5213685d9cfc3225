"""`/whatif`: the effect of scores on the rating, one after another."""

from collections.abc import Mapping

from discord import Embed

from bot.domain.charts import Song
from bot.domain.gains import PlayEffect
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from bot.domain.scores import SlotName
from bot.domain.whatif import WhatIf, WhatIfStep
from bot.features.whatif import WhatIfReport
from bot.ui.explanations import doubt_lines, explanation_lines
from bot.ui.game_ratings import chart_rating, gain_number, gain_text
from bot.ui.kit.icons import rank_icon
from bot.ui.kit.look import (
    add_text,
    difficulty_colour,
    fetched_embed,
    listed_title,
    measure_text,
    range_text,
    rating_embed_colour,
    song_heading,
)
from bot.ui.language.text import Language
from bot.ui.lists import chart_line, small


def what_if_embed(t: Language, report: WhatIfReport) -> Embed:
    """Return the effects of scores: the rating, and each chart's place in its slot."""
    steps = report.found.steps
    first = steps[0].planned
    title, colour = song_heading(first.song), difficulty_colour(first.chart.difficulty)
    if len(steps) > 1:
        title, colour = t("What if?"), rating_embed_colour(report.player.rating)
    embed = fetched_embed(t, title, colour, report, shows_rating=True)
    add_text(embed, "\n\n".join(_step(t, report, step) for step in steps))
    embed.add_field(name=t("Rating"), value=_rating(t, report), inline=False)
    explanation, rating = report.explanation, report.player.rating
    notes = doubt_lines(t, explanation.worked_out)
    if explanation.is_explained is False:
        notes = explanation_lines(t, explanation, rating)
    if notes:
        add_text(embed, "\n".join(map(small, notes)))
    return embed


def _step(t: Language, report: WhatIfReport, step: WhatIfStep) -> str:
    planned = step.planned
    effect, highest = step.effect, step.highest
    gain = gain_text(t, effect)
    if highest.thousandths != effect.thousandths:
        gain = range_text(t, gain, gain_text(t, highest))
    facts = [
        measure_text(t, planned.chart),
        f"**{t.integer(planned.score)}** {rank_icon(t, planned.score, report.region)}",
        chart_rating(t, effect.play),
    ]
    title = planned.song.title if len(report.found.steps) > 1 else ""
    line = chart_line(t, gain, planned.chart, title)
    return f"{line}\n{small(*facts)}\n{verdict(t, step, report.songs)}"


def verdict(t: Language, step: WhatIfStep, songs: Mapping[SongId, Song]) -> str:
    """Return a chart's new place and what falls out, or the score from which it would count."""
    effect = step.effect if step.effect.sum_gain > 0 else step.highest
    if not step.is_record and step.before is not None:
        score = t.integer(step.before.score)
        return t("Your record is as good or better: {score}.", score=score)
    if effect.place is None or effect.sum_gain <= 0:
        if step.least is None:
            return t("No score on this chart counts.")
        return t("Counts from **{score}** on.", score=t.integer(step.least))
    sentences = [_place(t, effect)]
    if effect.pushed_out is not None:
        song = songs.get(effect.pushed_out.key[0])
        title = listed_title(song.title) if song else t("a song that the catalogue does not have")
        rating = t.hundredths(effect.pushed_out.rating)
        sentences.append(t("**{title}** ({rating}) falls out.", title=title, rating=rating))
    elif effect.is_entry:
        sentences.append(t("It fills an empty place."))
    return t.sentences(sentences)


def _place(t: Language, effect: PlayEffect) -> str:
    place = t.integer(effect.place or 0)
    if effect.slot is SlotName.NEW:
        return t("Would be **#{place}** of the {count} new songs.", place=place, count=t.integer(NEW_PLACES))
    return t("Would be **#{place}** of the best {count}.", place=place, count=t.integer(BEST_PLACES))


def _rating(t: Language, report: WhatIfReport) -> str:
    """Return the rating before and after; the one before is the profile's if the calculation explains it."""
    found, explanation = report.found, report.explanation
    total = _total(t, found)
    before = found.before.rating
    if before is None:
        return t("{gain}, if the recent plays stay as they are", gain=total)
    if explanation.is_explained:
        before = report.player.rating
    changes = (found.rating_change, found.highest_rating_change)
    after = range_text(t, *(f"**{t.hundredths(Hundredths(before + change))}**" for change in changes))
    least, most = (t.decimal(slots.exact, least=4, most=4) for slots in (found.after, found.highest))
    exact = [t.decimal(found.before.exact, least=4, most=4), range_text(t, least, most)]
    lines = [f"{t.hundredths(before)} → {after} ({total})", small(" → ".join(exact))]
    return "\n".join(lines)


def _total(t: Language, found: WhatIf) -> str:
    least, most = found.thousandths, found.highest_thousandths
    if most <= 0:
        return t("no change")
    texts = [gain_number(t, each) if each else t("no change") for each in dict.fromkeys((least, most))]
    return f"**{texts[0]}**" if len(texts) == 1 else range_text(t, *texts)
