"""The form for feedback to the bot's host, and its message and reply."""

from collections.abc import Mapping
from typing import Final

from discord import Embed
from discord.ui import Modal

from bot.domain.ids import GuildId, MemberId
from bot.ui.kit.forms import make_form, paragraph, read_field
from bot.ui.kit.look import BRAND, QUIET
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import FEEDBACK_FORM
from bot.ui.language.text import Language

_TEXT_FIELD: Final = "text"
"""The id of the form's field."""
_MAX_TYPED_CHARACTERS: Final = 1_500
_MAX_EMBED_CHARACTERS: Final = 4_000
"""The most characters of the text in an embed, after escaping markup."""


def feedback_form(t: Language) -> Modal:
    """Return the form for feedback to the host."""
    about = t("They see your name, so that they can answer. Never put an access token here.")
    field = paragraph(_TEXT_FIELD, t("What would you like to say?"), about, _MAX_TYPED_CHARACTERS)
    return make_form(FEEDBACK_FORM, t("Write to the host of this bot"), field)


def read_feedback(typed: Mapping[str, str]) -> str:
    """Return the feedback. Raises: TooOld for a form without that field."""
    return read_field(typed, _TEXT_FIELD).strip()


def feedback_embed(t: Language, text: str, member: MemberId, guild: GuildId | None) -> Embed:
    """Return the message to the host."""
    embed = Embed(title=t("Feedback"), colour=QUIET, description=escape(text, room=_MAX_EMBED_CHARACTERS))
    embed.add_field(name=t("From"), value=f"<@{member}> ({member})")
    if guild is not None:
        embed.add_field(name=t("Server"), value=str(guild))
    return embed


def thanks_embed(t: Language) -> Embed:
    """Return the thanks to whoever wrote."""
    return Embed(title=t("Thank you"), colour=BRAND, description=t("The host of this bot has it now."))
