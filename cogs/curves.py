"""`/history`."""

from collections.abc import Mapping, Sequence

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.gateway.guilds import fetch_neighbours
from bot.chat.options import (
    DayText,
    Someone,
    SongText,
    choices_of,
    day_of,
    difficulty_option,
    option,
    song_option,
)
from bot.chat.subjects import get_guild, guild_of, subject_of, viewer_of
from bot.domain.boards import Measure
from bot.domain.charts import DIFFICULTIES, WORLDS_END, Difficulty
from bot.domain.curves import DaySpan
from bot.domain.errors import NotLinked
from bot.domain.ids import MemberId
from bot.domain.story import StoryOfMany
from bot.features.curves import CurvesReport
from bot.features.shared.subjects import MembershipUnknown, Subject
from bot.ui.boards import MEASURES
from bot.ui.curves import curves_alt, curves_page, draw_curves, drawn_curves
from bot.ui.kit.look import Page
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import CurvesAddress, StoryAddress
from bot.ui.language.text import described, named

_OTHERS = described("Someone else beside them")


class CurvesCog(KirokuCog):
    """Figures over time."""

    @command(
        named("command", "history"),
        described("Show how rating, best average or OVER POWER changed, for up to five members"),
    )
    @option(
        "member",
        named("option", "member"),
        described("Someone here who has linked an account and lets you look; you if left out"),
    )
    @option(
        "what",
        named("option", "what"),
        described("What to show; rating if left out"),
        choices=choices_of(MEASURES),
    )
    @option("first", named("option", "from"), described("The first day, such as 2026-11-01"))
    @option("last", named("option", "to"), described("The last day, such as 2026-11-30; today if left out"))
    @song_option(
        "chart",
        named("option", "chart"),
        described("A song, to show how the score on its chart went instead"),
    )
    @difficulty_option(
        described("Which chart of it; the hardest with a record if left out"),
        [code for code in DIFFICULTIES if code != WORLDS_END],
    )
    @option("member2", named("option", "member2"), _OTHERS)
    @option("member3", named("option", "member3"), _OTHERS)
    @option("member4", named("option", "member4"), _OTHERS)
    @option("member5", named("option", "member5"), _OTHERS)
    async def history(  # noqa: PLR0913, PLR0917 - Discord has no option that takes several members
        self,
        interaction: Interaction,
        member: Someone | None = None,
        what: str = Measure.RATING.value,
        first: DayText = "",
        last: DayText = "",
        chart: SongText = "",
        difficulty: str = "",
        member2: Someone | None = None,
        member3: Someone | None = None,
        member4: Someone | None = None,
        member5: Someone | None = None,
    ) -> None:
        """Show a figure of the asker, or of up to five members, over time."""
        if chart:
            if first or last or any((member2, member3, member4, member5)):
                raise StoryOfMany
            subject = subject_of(interaction, member, None)
            code = Difficulty(difficulty) if difficulty else None
            story = StoryAddress(asker=viewer_of(interaction), subject=subject, song=chart, difficulty=code)
            await self._bot.answer(interaction, story, about=subject)
            return
        people = [each for each in (member, member2, member3, member4, member5) if each]
        now = self._bot.features.clock.now()
        address = CurvesAddress(
            asker=viewer_of(interaction),
            measure=Measure(what),
            members=tuple(MemberId(each.id) for each in people),
            first=day_of(first, "from", now),
            last=day_of(last, "to", now),
        )
        subjects = [subject_of(interaction, each, None) for each in people]
        if not people or any(subject.member == address.asker for subject in subjects):
            await self._bot.reserve_about(interaction, Subject())
        else:
            await reserve(interaction)
        names = {MemberId(each.id): each.display_name for each in people or [interaction.user]}
        report, picture = await self._drawn(interaction, address, subjects, names)
        # Outside the bot's servers, Discord does not send others' names again.
        is_known_here = self._bot.get_guild(guild_of(interaction) or 0) is not None
        lead = address if is_known_here or set(address.members) <= {address.asker} else None
        t = self._bot.language_of(interaction)
        page = curves_page(t, report, names, lead, picture)
        await show(interaction, page if lead is None else self._bot.with_buttons(interaction, page, lead))

    @shows(CurvesAddress)
    async def _page(self, interaction: Interaction, address: CurvesAddress) -> Page:
        """Return the page behind a menu, for members who are still in the server, by their names there."""
        names = {address.asker: interaction.user.display_name}
        others = [each for each in address.members if each != address.asker]
        if others:
            guild = self._bot.get_guild(get_guild(interaction))
            if guild is None:  # another process serves it by now
                raise MembershipUnknown
            here = await fetch_neighbours(guild, others)
            for gone in (each for each in others if each not in here):
                raise NotLinked(gone)
            names |= {member: neighbour.name for member, neighbour in here.items()}
        subjects = [Subject(member=each, shares_server=True) for each in address.members]
        report, picture = await self._drawn(interaction, address, subjects, names)
        return curves_page(self._bot.language_of(interaction), report, names, address, picture)

    async def _drawn(
        self,
        interaction: Interaction,
        address: CurvesAddress,
        subjects: Sequence[Subject],
        names: Mapping[MemberId, str],
    ) -> tuple[CurvesReport, Picture | None]:
        t = self._bot.language_of(interaction)
        span = DaySpan(address.first, address.last)
        if address.days is not None:
            today = self._bot.features.clock.now().astimezone(t.zone).date()
            span = DaySpan.of_last(address.days, today)
        curves = self._bot.features.curves
        report = await curves.report(address.asker, subjects or [Subject()], address.measure, span, t.zone)
        return report, await self._picture(interaction, address, report, names)

    async def _picture(
        self,
        interaction: Interaction,
        address: CurvesAddress,
        report: CurvesReport,
        names: Mapping[MemberId, str],
    ) -> Picture | None:
        curves = drawn_curves(report)
        if not curves:
            return None
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        alt = curves_alt(t, report, names)
        return await self._bot.renderer.picture(
            alt, None, draw_curves, t, report.measure, curves, report.turns, names, style
        )
