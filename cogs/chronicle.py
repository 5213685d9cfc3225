"""`/session`."""

from collections.abc import Sequence

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import TODAY_ANYWHERE, DayText, Someone, day_of, option
from bot.chat.subjects import guild_of, subject_of, viewer_of
from bot.domain.goals import Goal
from bot.domain.members import Cut
from bot.features.shared.session_report import SessionReport
from bot.features.shared.subjects import Subject
from bot.ui.cards.drawn import draw_session
from bot.ui.chronicle import session_embed
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_refresh, with_share
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import SessionAddress
from bot.ui.language.text import described, named
from bot.ui.session_card import session_card, session_card_alt


class ChronicleCog(KirokuCog):
    """A player's last session."""

    @command(named("command", "session"), described("Show what was played last, or since a day"))
    @option(
        "member",
        named("option", "member"),
        described("Someone here who has linked an account and lets you look"),
    )
    @option(
        "since", named("option", "since"), described("A day such as 2026-11-01; the last session if left out")
    )
    async def session(
        self,
        interaction: Interaction,
        member: Someone | None = None,
        since: DayText = "",
    ) -> None:
        """Show the last session of the asker or of a member."""
        subject: Subject = subject_of(interaction, member, None)
        day = day_of(since, "since", self._bot.features.clock.now(), ahead=TODAY_ANYWHERE)
        address = SessionAddress(
            asker=viewer_of(interaction), subject=subject, since=day.isoformat() if day else ""
        )
        await self._bot.answer(interaction, address, about=subject)

    @shows(SessionAddress)
    async def _page(self, interaction: Interaction, address: SessionAddress) -> Page:
        t = self._bot.language_of(interaction)
        report = await self._bot.features.chronicle.report(
            address.asker,
            address.subject,
            day_of(address.since, "since", self._bot.features.clock.now()),
            guild_of(interaction),
            t.zone,
        )
        picture = await self._picture(interaction, address, report)
        reached = await self._reached(address, report)
        shown = Page(
            session_embed(t, report, reached),
            picture=picture,
            beside=(session_embed(t, report, reached, is_short=True),),
            audience=report.audience,
        )
        return with_share(t, with_refresh(t, shown, address), address)

    async def _reached(self, address: SessionAddress, report: SessionReport) -> Sequence[Goal]:
        """Return the goals that the asker's own session reached."""
        if address.subject.member not in {None, address.asker} or report.session is None:
            return ()
        found = await self._bot.features.goals.find_reached([address.asker], report.session.since)
        return [
            reached.goal for reached in found.get(address.asker, ()) if reached.at <= report.session.until
        ]

    async def _picture(
        self, interaction: Interaction, address: SessionAddress, report: SessionReport
    ) -> Picture | None:
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        if style.cut is Cut.LIST or report.session is None or report.session.is_empty:
            return None
        card = session_card(t, report, report.session)
        alt = session_card_alt(t, card)
        return await self._bot.renderer.picture(alt, report.player, draw_session, card, style)
