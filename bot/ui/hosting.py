"""`/host`, and the alerts to the bot's host."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from discord import Embed, utils

from bot.features.hosting import HostCause, HostReport, is_nearly_full
from bot.store import in_words
from bot.ui.about import version_text
from bot.ui.kit.look import BRAND, add_text
from bot.ui.language.text import Language, mark

_ALERTS: Final[Mapping[HostCause, tuple[str, str]]] = {
    HostCause.POSTS_LATE: (
        mark("Posts are late"),
        mark("Posts have been waiting for half an hour. The log says for what."),
    ),
    HostCause.DISK_NEARLY_FULL: (
        mark("The disk is nearly full"),
        mark(
            "The database's disk has less free space than the database may soon need. Free some: once it is "
            "full, nothing can be saved."
        ),
    ),
    HostCause.VERSIONS_OUTDATED: (
        mark("A version of the game is missing"),
        mark(
            "Most ratings no longer fit any game version that this bot knows. Add a line to the file of "
            "GAME_VERSIONS, or update Kiroku."
        ),
    ),
}


def alert_embed(t: Language, cause: HostCause) -> Embed:
    """Return the alert for one cause, with the next step."""
    title, sentence = _ALERTS[cause]
    embed = Embed(title=t(title), description=t(sentence), colour=BRAND)
    again = t("You are told once a day while it lasts. `/host status` shows the state of the bot.")
    add_text(embed, f"-# {again}")
    return embed


def host_embed(t: Language, report: HostReport) -> Embed:
    """Return the state of the bot for `/host status`."""
    embed = Embed(title=t("State of the bot"), colour=BRAND)
    embed.add_field(name=t("Version"), value=version_text(t, report.build))
    embed.add_field(name=t("Database"), value=report.database)
    embed.add_field(name=t("Servers"), value=_servers(t, report))
    embed.add_field(name=t("Linked members"), value=t.integer(report.members))
    embed.add_field(name=t("Requests left"), value=_budget(t, report))
    embed.add_field(name=t("Posts"), value=_posts(t, report))
    embed.add_field(name=t("Disk"), value=_disk(t, report))
    copied = report.last_copy and utils.format_dt(report.last_copy, "R")
    embed.add_field(name=t("Last copy"), value=copied or t("None in BACKUP_FOLDER"))
    return embed


def blocked_embed(t: Language, *, is_blocked: bool) -> Embed:
    """Return that a server is now blocked, or unblocked."""
    said = (
        t("The bot leaves that server and does not come back, whoever invites it.")
        if is_blocked
        else t("That server can use the bot again.")
    )
    return Embed(
        title=t("Server blocked") if is_blocked else t("Server no longer blocked"),
        description=said,
        colour=BRAND,
    )


def _servers(t: Language, report: HostReport) -> str:
    blocked = t.plural("{count} blocked", "{count} blocked", report.blocked)
    return f"{t.integer(report.servers)}\n-# {blocked}" if report.blocked else t.integer(report.servers)


def _budget(t: Language, report: HostReport) -> str:
    if not report.budgets:
        return t("Nobody has asked lately")
    counted = t.plural("of {count} account", "of {count} accounts", report.budgets)
    least = t.percent(int(Decimal(str(report.least_left)) * 1000), 1000)
    told = t("the least is {share}", share=least)
    return f"{told}\n-# {counted}"


def _posts(t: Language, report: HostReport) -> str:
    if not report.posts_waiting:
        return t("None is late")
    waiting = t.plural("{count} waits", "{count} wait", report.posts_waiting)
    return f"⚠️ **{waiting}**" if report.posts_late else waiting


def _disk(t: Language, report: HostReport) -> str:
    if report.room is None or report.room.free is None:
        return t("Only the database server knows")
    free = t("{size} free", size=in_words(report.room.free))
    used = t("the database takes {size}", size=in_words(report.room.used))
    return f"{f'⚠️ **{free}**' if is_nearly_full(report.room) else free}\n-# {used}"
