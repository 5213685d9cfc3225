"""Feedback to the host of the bot, from the button of `/about`."""

import logging
from collections.abc import Mapping

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, opens, takes
from bot.chat.failures import DISCORD_FAILURES
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.errors import TooOld
from bot.features.feedback import NotDelivered
from bot.ui.feedback import feedback_embed, feedback_form, read_feedback, thanks_embed
from bot.ui.kit.look import Page
from bot.ui.kit.pages import FEEDBACK_FORM
from bot.ui.language.text import SOURCE

_logger = logging.getLogger(__name__)


class FeedbackCog(KirokuCog):
    """Delivers feedback."""

    @opens(FEEDBACK_FORM)
    async def _ask(self, interaction: Interaction) -> None:
        self._bot.features.feedback.check(viewer_of(interaction))
        await interaction.response.send_modal(feedback_form(self._bot.language_of(interaction)))

    @takes(FEEDBACK_FORM)
    async def _hand_on(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        await reserve(interaction, private=True)
        feedback, member, text = self._bot.features.feedback, viewer_of(interaction), read_feedback(typed)
        if feedback.channel is None:
            raise TooOld  # the host accepts no feedback any more
        feedback.admit(member)
        embed = feedback_embed(self._bot.languages[SOURCE], text, member, guild_of(interaction))
        try:
            await self._bot.get_partial_messageable(feedback.channel).send(embed=embed)
        except DISCORD_FAILURES as error:
            feedback.readmit(member)
            _logger.warning("FEEDBACK_CHANNEL takes nothing: %s", type(error).__name__)
            raise NotDelivered from error
        await show(interaction, Page(thanks_embed(self._bot.language_of(interaction))))
