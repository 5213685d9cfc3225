"""`/link`, `/unlink` and `/account`: the form, the embeds, and the menu of visibilities."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from discord import ButtonStyle, Embed, TextStyle
from discord.ui import Label, Modal, TextDisplay, TextInput

from bot.api import BudgetLeft
from bot.domain.ids import MemberId, UserName
from bot.domain.members import Lost, Visibility
from bot.domain.players import Player
from bot.domain.posts import PostPlan
from bot.domain.typed import check_seen, without_invisible
from bot.features.accounts import AccountReport, Linked, TokenPlace
from bot.features.preferences import PreferencesReport
from bot.features.shared.subjects import Subject
from bot.ui.kit.errors import error_sentence
from bot.ui.kit.forms import make_form, read_field
from bot.ui.kit.look import (
    BRAND,
    QUIET,
    STILL_READ,
    VISIBILITIES,
    Page,
    add_text,
    base_embed,
    player_heading,
    rating_embed_colour,
)
from bot.ui.kit.markdown import code, escape
from bot.ui.kit.pages import LINK_FORM, Component, PageButton, Way, setup_button, view_of
from bot.ui.kit.routes import AccountAddress, BestAddress, LinkedAddress, PlanAddress
from bot.ui.language.text import Language, Languages
from bot.ui.post_plans import when_text
from bot.ui.preferences import chosen_text, language_menu, visibility_buttons, visibility_menu

_FIELD_ID: Final = "token"
"""The id of the form's field. It must not change, since people may leave forms open for long."""
_QUOTATION_MARKS: Final = "\"'`“”‘’「」"
_MAX_TOKEN_CHARACTERS: Final = 200
"""The most characters of a token: far more than any issued so far."""


def link_form(t: Language, place: TokenPlace, linked: UserName | None = None) -> Modal:
    """Return the form that asks for the access token.

    `place`: where tokens are created; `linked`: the account of the link that will be replaced.
    """
    steps = (
        t("**1.** Create an access token on {service}: {url}", service=place.service, url=place.url)
        if place.is_exact
        else t(
            "**1.** Create an access token in the developer section of your account settings on {service}: {url}",
            service=place.service,
            url=place.url,
        ),
        t("**2.** Paste it below. It is kept encrypted, and reads only what you can see there yourself."),
        t("**3.** Choose who may look you up. Until you do, nobody can."),
    )  # fmt: skip
    texts = ["\n".join(steps)]
    if linked is not None:
        warning = t(
            "You have linked {user_name}. If the token is of another account, what is kept with {user_name} is erased: "
            "your places in daily posts and feeds, direct messages, goals and history.",
            user_name=code(linked),
        )
        texts.append(warning)
    token: TextInput[Modal] = TextInput(
        custom_id=_FIELD_ID, style=TextStyle.short, min_length=1, max_length=_MAX_TOKEN_CHARACTERS
    )
    field = Label(text=t("Access token"), component=token)
    return make_form(LINK_FORM, t("Link your account"), *map(TextDisplay[Any], texts), field)


def token_of(typed: Mapping[str, str]) -> str:
    """Return the access token typed into the form, without characters that were copied along with it.

    Raises: TooOld for a form without that field, ControlCharacter if nothing is left.
    """
    token = without_invisible(read_field(typed, _FIELD_ID)).strip(_QUOTATION_MARKS)
    check_seen(token)
    return token


def linked_page(
    t: Language,
    report: PreferencesReport,
    asker: MemberId,
    languages: Languages,
    *,
    news: Linked | Visibility | None = None,
    may_set_up: bool,
) -> Page:
    """Return what a member sees after `/link`: the account, questions about settings, and next steps.

    `news`: what has just changed, a linked account or a visibility; `may_set_up`: whether they manage the server that
    they are in.
    """
    player = news.player if isinstance(news, Linked) else None
    chosen = news if isinstance(news, Visibility) else None
    embed = Embed(title=t("Linked"), colour=BRAND if player is None else rating_embed_colour(player.rating))
    embed.description = _account_text(t, report, player)
    if isinstance(news, Linked) and news.lost is not None:
        add_text(embed, _lost_text(t, news.lost))
    if chosen is not None:
        add_text(embed, chosen_text(t, chosen))
    add_text(
        embed, t("Who may look you up by your Discord name? You can change this in `/account` at any time.")
    )
    add_text(
        embed,
        t(
            "With “Only me”, only you see what you ask about yourself, and no `/leaderboard` shows or counts you."
        ),
    )
    to = partial(LinkedAddress, asker=asker)
    own, preferences, visibility = Subject(), report.preferences, report.visibility or Visibility.ONLY_ME
    best = BestAddress(asker=asker, subject=own, slot=preferences.slot)
    items: list[Component] = [
        visibility_menu(t, to, visibility),
        language_menu(t, to, languages.find(preferences.language), languages),
        PageButton(best, Way.ASIDE, label=t("My best"), style=ButtonStyle.primary),
        PageButton(PlanAddress(asker=asker), Way.ASIDE, label=t("What to play next")),
        *visibility_buttons(t, to, visibility, chosen),
    ]
    if may_set_up:
        items.append(setup_button(t))
    return Page(embed, view_of(items))


def _account_text(t: Language, report: PreferencesReport, player: Player | None) -> str:
    user_name = code(report.user_name or "")
    if player is None:
        return t("This is now your account: {user_name}.", user_name=user_name)
    return t(
        "This is now your account: **{player}** ({user_name}), rating **{rating}**.",
        player=player_heading(player),
        user_name=user_name,
        rating=t.hundredths(player.rating),
    )


def _lost_text(t: Language, lost: Lost) -> str:
    counts = {
        t.plural(
            "your place in the daily post of {count} server",
            "your places in the daily posts of {count} servers",
            lost.daily_posts,
        ): lost.daily_posts,
        t.plural(
            "your place in the feed of {count} server",
            "your places in the feeds of {count} servers",
            lost.feeds,
        ): lost.feeds,
        t("the direct messages about your day"): lost.directs,
        t.plural("{count} goal", "{count} goals", lost.goals): lost.goals,
        t.plural("{count} day of history", "{count} days of history", lost.days): lost.days,
    }
    erased = [text for text, count in counts.items() if count]
    if not erased:
        return t(
            "Nothing else was kept with the previous account, {user_name}.", user_name=code(lost.user_name)
        )
    return t(
        "Erased with the previous account, {user_name}: {what}.",
        user_name=code(lost.user_name),
        what=t.all_of(erased),
    )


def unlinked_embed(t: Language, *, is_off_disk: bool) -> Embed:
    """Return what a member sees after `/unlink`; `is_off_disk`: whether the link is gone from the disk too."""
    embed = Embed(title=t("Unlinked"), colour=BRAND)
    embed.description = t(
        "Your link and everything kept with it are erased. To be sure, also revoke the token on the record service."
    )
    if not is_off_disk:
        add_text(embed, t(STILL_READ))
    return embed


def account_page(
    t: Language, report: AccountReport, asker: MemberId, *, chosen: Visibility | None = None
) -> Page:
    """Return a member's linked account, for them alone; `chosen`: the visibility that they have just chosen."""
    embed = _account_card(t, report)
    if chosen is not None:
        add_text(embed, chosen_text(t, chosen))
    embed.add_field(name=t("Who may look you up"), value=t(VISIBILITIES[report.visibility]), inline=False)
    embed.add_field(
        name=t("Daily posts and feeds"), value=posts_text(t, report.daily_posts, report.feeds), inline=False
    )
    if report.direct is not None:
        embed.add_field(name=t("Direct messages"), value=_direct_text(t, report.direct), inline=False)
    embed.add_field(name=t("Requests left"), value=_budgets_text(t, report.budgets), inline=False)
    to = partial(AccountAddress, asker=asker)
    items = [
        visibility_menu(t, to, report.visibility),
        *visibility_buttons(t, to, report.visibility, chosen),
    ]
    return Page(embed, view_of(items))


def posts_text(t: Language, daily_posts: int, feeds: int) -> str:
    """Return in how many servers a member's rating is posted, and in how many their plays."""
    counts = {
        t.plural(
            "In the daily post of {count} server", "In the daily posts of {count} servers", daily_posts
        ): daily_posts,
        t.plural("In the feed of {count} server", "In the feeds of {count} servers", feeds): feeds,
    }
    return "\n".join(text for text, count in counts.items() if count) or t("In no daily post")


def _direct_text(t: Language, plan: PostPlan) -> str:
    if plan.is_off:
        return t(
            "Stopped: Discord did not deliver three of my messages to you. Allow direct messages from a "
            "server that we share, then use `/daily direct` again."
        )
    return escape(when_text(t, plan))


def _account_card(t: Language, report: AccountReport) -> Embed:
    if report.player is None:
        embed = base_embed(t, t("Your account"), QUIET, region=report.region)
        add_text(embed, code(report.user_name))
        if report.trouble is not None:
            add_text(embed, error_sentence(t, report.trouble))
        return embed
    player = report.player.value
    embed = base_embed(
        t,
        t("Your account"),
        rating_embed_colour(player.rating),
        age=report.player.age,
        region=report.region,
    )
    add_text(embed, f"**{player_heading(player)}** ({code(player.user_name)})")
    if player.is_protected:
        add_text(embed, t("You are protected on the record service: only friends there see your data."))
    return embed


def _budgets_text(t: Language, budgets: Sequence[tuple[str, BudgetLeft]]) -> str:
    """Return the remaining requests: of the version with the fewest left, then of each version."""
    _, scarcest = min(budgets, key=lambda each: each[1].remaining)
    values = {"left": t.integer(scarcest.remaining), "limit": t.integer(scarcest.limit)}
    # Approximate: a question may take several requests, and members may share an account.
    asked = (
        t("All of {limit} questions", limit=values["limit"])
        if scarcest.reset_at is None or scarcest.remaining >= scarcest.limit
        else t(
            "About {left} of {limit} questions until {when}",
            **values,
            when=t.hour(scarcest.reset_at.astimezone(t.zone).timetz()),
        )
    )
    by_version = t.all_of(
        t(
            "{version}: {left} of {limit}",
            version=version,
            left=t.integer(each.remaining),
            limit=t.integer(each.limit),
        )
        for version, each in budgets
    )
    below = t("By version of the API: {versions}", versions=by_version)
    return f"{asked}\n-# {below}"
