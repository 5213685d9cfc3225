"""What the picture of the daily post says to people who do not see it."""

from bot.ui.cards import DailyPicture
from bot.ui.session_card import change_words
from bot.ui.text import Language


def daily_card_alt(t: Language, picture: DailyPicture) -> str:
    """Return the picture in words: the day, its facts, and who gained most."""
    facts = ", ".join(f"{value} {label}" for value, label in picture.facts)
    steps = ", ".join(
        " ".join([each.name, each.rating.text, *change_words(each.change)]) for each in picture.steps
    )
    return t("{day}: {facts}; {members}.", day=picture.title, facts=facts, members=steps or picture.empty)
