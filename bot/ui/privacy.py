"""`/privacy`: the stored data about a member, the file with all of it, and the question before it is erased."""

import json

from discord import ButtonStyle, Embed

from bot.api.answer_store import KEPT_FOR
from bot.base.worker import run_in_worker
from bot.features.privacy import Export, PrivacyReport
from bot.ui.accounts import posts_text
from bot.ui.kit.look import BRAND, STILL_READ, VISIBILITIES, Page, add_text
from bot.ui.kit.markdown import code
from bot.ui.kit.pages import PageButton, view_of
from bot.ui.kit.renderer import Document
from bot.ui.kit.routes import EraseAddress
from bot.ui.language.text import Language


def privacy_embed(t: Language, report: PrivacyReport) -> Embed:
    """Return a summary of the stored data about a member."""
    embed = Embed(title=t("What is kept about you"), colour=BRAND)
    link, nothing = report.link, t("Nothing")
    account = (
        t("{user_name}, its access token encrypted", user_name=code(link.user_name)) if link else nothing
    )
    embed.add_field(name=t("Linked account"), value=account, inline=False)
    if link:
        embed.add_field(name=t("Who may look you up"), value=t(VISIBILITIES[link.visibility]), inline=False)
    days = t.plural("{count} day", "{count} days", report.snapshots) if report.snapshots else nothing
    embed.add_field(name=t("Rating history"), value=days)
    embed.add_field(name=t("Daily posts and feeds"), value=posts_text(t, report.daily_posts, report.feeds))
    for name, count, is_always_shown in (
        (t("Last answers of the record service"), report.answers, True),
        (t("Goals"), report.goals, True),
        (t("Songs that you have not unlocked"), report.locked, False),
        (t("Suggested aliases"), report.suggestions, False),
    ):
        if count or is_always_shown:
            embed.add_field(
                name=name, value=t.plural("{count} kept", "{count} kept", count) if count else nothing
            )
    embed.add_field(name=t("Settings"), value=t("Yours") if report.has_settings else nothing)
    add_text(
        embed,
        t.plural(
            "The last answers of the record service are kept for {count} day, encrypted, for the time when it is away; "
            "pictures are not kept.",
            "The last answers of the record service are kept for {count} days, encrypted, for the time when it is away; "
            "pictures are not kept.",
            KEPT_FOR.days,
        ),
    )
    add_text(
        embed,
        t(
            "While others may look you up, I remember in which servers you have used me: their "
            "`/leaderboard` shows you."
        ),
    )
    add_text(embed, t("`/privacy export` gives you all of it, `/privacy erase` erases all of it."))
    if report.policy_url:
        add_text(embed, t("Privacy policy and terms: {url}", url=t.address(report.policy_url)))
    return embed


async def export_page(t: Language, export: Export) -> Page:
    """Return all stored data about a member as a file."""
    content = {"member_id": export.member, "made_at": export.made_at.isoformat(), **export.tables}
    embed = Embed(title=t("Everything that is kept about you"), colour=BRAND)
    embed.description = t("The file holds every row. Your access token stays encrypted and is not in it.")
    # Writing answers about thousands of records would block the event loop for too long.
    written = await run_in_worker(lambda: json.dumps(content, ensure_ascii=False, indent=2).encode())
    return Page(embed, documents=(Document(content=written, name="kiroku-kept.json"),))


def question_page(t: Language, yes: EraseAddress) -> Page:
    """Return the question before everything is erased; `yes` is the address of consent."""
    embed = Embed(title=t("Erase everything?"), colour=BRAND)
    embed.description = t(
        "Your link with its access token, your rating history, your settings and your places in daily posts and feeds "
        "are erased at once and cannot be brought back. Your account on the record service stays as it is."
    )
    return Page(embed, view_of([PageButton(yes, label=t("Erase everything"), style=ButtonStyle.danger)]))


def erased_page(t: Language, *, is_off_disk: bool) -> Page:
    """Return what a member sees after everything was erased; `is_off_disk`: whether it is gone from the disk too."""
    embed = Embed(title=t("Everything is erased"), colour=BRAND)
    embed.description = t(
        "Nothing is kept about you any more. To be sure, also revoke the access token on the record service."
    )
    if not is_off_disk:
        add_text(embed, t(STILL_READ))
    return Page(embed)
