"""`/about`."""

from discord import ButtonStyle, Embed, utils

from bot.base.build import Build
from bot.features.about import AboutReport
from bot.ui.kit.look import BRAND, Page, add_text, age_sentence
from bot.ui.kit.pages import FEEDBACK_FORM, FormButton, view_of
from bot.ui.language.text import Language


def about_page(t: Language, report: AboutReport) -> Page:
    """Return the page about the bot, with a button to write to its host if they accept feedback."""
    feedback = FormButton(FEEDBACK_FORM, label=t("Write to the host"), style=ButtonStyle.secondary)
    return Page(_about_embed(t, report), view_of([feedback] * report.takes_feedback))


def _about_embed(t: Language, report: AboutReport) -> Embed:
    """Return the embed about the bot: what it is, where its data comes from and how fresh it is."""
    embed = Embed(title=t("About Kiroku"), colour=BRAND)
    embed.description = t(
        "A bot for players of an arcade rhythm game. 記録 means “record”. "
        "It is free software under the MIT licence."
    )
    if notice := t.notice(report.notice):
        add_text(embed, f"⚠️ **{notice}**")
    add_text(
        embed,
        t("Source: {url}", url=report.source_url)
        if report.source_url
        else t("No source link set by this bot's host"),
    )
    if report.privacy_url:
        add_text(embed, t("Privacy policy and terms: {url}", url=t.address(report.privacy_url)))
    if report.support_url:
        add_text(embed, t("Support: {url}", url=report.support_url))
    embed.add_field(name=t("Version"), value=version_text(t, report.build))
    embed.add_field(name=t("Songs"), value=_catalogue(t, report))
    embed.add_field(name=t("Statistics of all players"), value=_statistics(t, report))
    paragraphs = {
        t("Where the data comes from"): t(
            "From the player record service, asked with your own access token. Its catalogue is made for the Japanese "
            "edition and refreshed daily at 12:00 and 21:00 (UTC+9); records are as fresh as your last upload there."
        ),
        t("The title on your card"): t(
            "Earned by your best records, and worked out each time: the first word comes from how you play "
            "(lamps, ranks, how close together they are rated), the second from what you play (difficulties "
            "and genres)."
        ),
        t("Non-commercial"): t(
            "The data may be used for non-commercial purposes only. This bot shows no advertising and sells nothing."
        ),
    }
    for name, value in paragraphs.items():
        embed.add_field(name=name, value=value, inline=False)
    return embed


def version_text(t: Language, build: Build) -> str:
    """Return the running version, with its commit."""
    commit = f"\n-# `{build.commit}` · {t.day(build.day)}" if build.day else ""
    return f"{build.version}{commit}"


def _catalogue(t: Language, report: AboutReport) -> str:
    if report.songs is None or report.age is None:
        return t("Not read yet")
    counted = t.plural("{count} song", "{count} songs", report.songs)
    read = t("read {when}", when=utils.format_dt(report.age.fetched_at, "R"))
    return f"{counted} ({report.region})\n{age_sentence(t, report.age) or read}"


def _statistics(t: Language, report: AboutReport) -> str:
    if report.statistics is None:
        return t("Not read yet")
    if report.statistics.oldest is not None:
        known = t.plural("{count} chart", "{count} charts", report.statistics.charts)
        oldest = t("the oldest {when}", when=utils.format_dt(report.statistics.oldest, "R"))
        return f"{known}\n{oldest}"
    if report.is_prefetching:
        return t("None yet: they are being gathered")
    return t("None: this bot's host gathers none, and chances go by your own records alone")
