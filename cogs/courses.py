"""`/courses`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import viewer_of
from bot.ui.courses import courses_page
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import CoursesAddress
from bot.ui.language.text import described, named


class CoursesCog(KirokuCog):
    """The asker's course records."""

    @command(named("command", "courses"), described("Show your course records; only you see it"))
    async def courses(self, interaction: Interaction) -> None:
        """List the asker's course records."""
        await self._bot.answer(interaction, CoursesAddress(asker=viewer_of(interaction)), private=True)

    @shows(CoursesAddress)
    async def _page(self, interaction: Interaction, address: CoursesAddress) -> Page:
        report = await self._bot.features.courses.report(address.asker, address.number)
        t = self._bot.language_of(interaction)
        return with_share(t, courses_page(t, report, address), address)
