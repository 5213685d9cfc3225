"""The answers of `/alias`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from discord import ButtonStyle, Embed
from discord.ui import Modal

from bot.domain.charts import Song
from bot.domain.ids import MemberId
from bot.features.aliases import PackTaken, SuggestedName
from bot.features.shared.library import NamedSong
from bot.features.shared.paging import Part
from bot.ui.kit.choices import MAX_CHOICES, choice_text
from bot.ui.kit.forms import make_form, paragraph, read_field
from bot.ui.kit.look import BRAND, HEADING_WIDTH, TITLE_WIDTH, Page, add_text, listed_title
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import ALIASES_FORM, Component, PageButton, PageMenu, Way, turn_buttons, view_of
from bot.ui.kit.renderer import Document
from bot.ui.kit.song_routes import AliasesAddress, SuggestionAddress, SuggestionVerdict
from bot.ui.language.text import Language

_MAX_TITLE_CHARACTERS = 1_000
_MAX_TYPED_CHARACTERS: Final = 4_000
"""The limit of a form's field. Source: Discord's documentation."""
_NAMED_LINES: Final = 10
_PACK_FIELD: Final = "pack"
"""The id of the form's field."""


def added_embed(t: Language, name: str, song: Song) -> Embed:
    """Return what a manager sees after `/alias add`."""
    embed = Embed(title=t("Alias added"), colour=BRAND)
    add_text(embed, _means(t, name, song))
    return embed


def removed_embed(t: Language, name: str) -> Embed:
    """Return what a manager sees after `/alias remove`."""
    embed = Embed(title=t("Alias removed"), colour=BRAND)
    add_text(
        embed,
        t("“{alias}” no longer means any song in this server.", alias=escape(name, width=HEADING_WIDTH)),
    )
    return embed


def aliases_page(
    t: Language, aliases: Part[NamedSong], address: AliasesAddress, waiting: Sequence[SuggestedName] = ()
) -> Page:
    """Return one page of a server's aliases, with the suggestions that wait for its managers."""
    embed = Embed(title=t("Aliases in this server"), colour=BRAND)
    titles = (listed_title(alias.song.title) if alias.song else _gone(t) for alias in aliases.items)
    names = (escape(alias.name, width=TITLE_WIDTH) for alias in aliases.items)
    lines = map(" → ".join, zip(names, titles, strict=True))
    empty = t(
        "None yet. People who manage this server add them with `/alias add`; everybody else can suggest "
        "one with `/alias suggest`."
    )
    add_text(embed, "\n".join(lines) or empty)
    if any(alias.song is None for alias in aliases.items):
        add_text(embed, _gone_note(t))
    return Page(
        embed, view_of([*turn_buttons(t, address, aliases), *_waiting_menu(t, address.asker, waiting)])
    )


def suggested_page(t: Language, found: SuggestedName, address: SuggestionAddress) -> Page:
    """Return a suggestion with the buttons that decide on it, for those who manage the server."""
    embed = Embed(title=t("Suggested alias"), colour=BRAND)
    text = t(
        "<@{member}> suggests that “{alias}” means **{title}** in this server. The people who manage it decide.",
        member=found.kept.member,
        alias=escape(found.kept.name, width=HEADING_WIDTH),
        title=_whole_title(t, found.song),
    )
    add_text(embed, text)
    if found.song is None:
        add_text(embed, _gone_note(t))
    take, refuse = (replace(address, verdict=verdict) for verdict in SuggestionVerdict)
    return Page(
        embed,
        view_of(
            [
                PageButton(take, Way.OPEN, label=t("Accept"), style=ButtonStyle.success),
                PageButton(refuse, Way.OPEN, label=t("Refuse")),
            ]
        ),
    )


def decided_page(
    t: Language,
    found: SuggestedName,
    verdict: SuggestionVerdict,
    asker: MemberId,
    waiting: Sequence[SuggestedName],
) -> Page:
    """Return the outcome of a suggestion, with those that still wait."""
    is_taken = verdict is SuggestionVerdict.TAKE
    embed = Embed(title=t("Alias added") if is_taken else t("Suggestion refused"), colour=BRAND)
    refused = t(
        "“{alias}” will not mean **{title}**.",
        alias=escape(found.kept.name, width=HEADING_WIDTH),
        title=_whole_title(t, found.song),
    )
    add_text(embed, _means(t, found.kept.name, found.song) if is_taken else refused)
    if is_taken and found.song is None:
        add_text(embed, _gone_note(t))
    add_text(embed, t("Suggested by <@{member}>.", member=found.kept.member))
    return Page(embed, view_of(_waiting_menu(t, asker, waiting)))


def export_page(t: Language, pack: str) -> Page:
    """Return a server's aliases as a file that another server or a bot's host can import."""
    embed = Embed(title=t("Aliases in this server"), colour=BRAND)
    count = len(pack.splitlines())
    if not count:
        add_text(embed, t("None yet."))
        return Page(embed)
    add_text(
        embed,
        t.plural(
            "{count} alias is in the file. `/alias import` takes it in another server.",
            "{count} aliases are in the file. `/alias import` takes them in another server.",
            count,
        ),
    )
    return Page(embed, documents=(Document(content=pack.encode(), name="aliases.txt"),))


def import_form(t: Language) -> Modal:
    """Return the form for importing a pack."""
    about = t("One a line, as in the file of another server: alias = title")
    return pack_form(ALIASES_FORM, t("Import aliases"), t("Aliases"), about)


def pack_form(form_id: str, title: str, label: str, about: str) -> Modal:
    """Return a form with one field for a pasted pack, which `read_pack_field` reads."""
    return make_form(form_id, title, paragraph(_PACK_FIELD, label, about, _MAX_TYPED_CHARACTERS))


def read_pack_field(typed: Mapping[str, str]) -> str:
    """Return the pasted text. Raises: TooOld for a form without that field."""
    return read_field(typed, _PACK_FIELD)


def imported_embed(t: Language, report: PackTaken) -> Embed:
    """Return the result of importing a pack."""
    embed = Embed(title=t("Aliases imported"), colour=BRAND)
    add_text(
        embed, t.plural("{count} alias counts here now.", "{count} aliases count here now.", report.taken)
    )
    lines = [
        *(
            t("Line {line} does not read “alias = title”.", line=t.integer(place.number))
            for place in report.unread
        ),
        *(
            t(
                "Line {line} matches no song, or several: {title}",
                line=t.integer(line.place.number),
                title=listed_title(line.song),
            )
            for line in report.unfit
        ),
        *(
            t(
                "Line {line} names the title of another song, which it finds: {title}",
                line=t.integer(line.place.number),
                title=listed_title(song.title),
            )
            for line, song in report.hidden
        ),
    ]
    if lines:
        more = len(lines) - _NAMED_LINES
        and_more = [t.plural("{count} line more", "{count} lines more", more)] if more > 0 else []
        add_text(embed, "\n".join([*lines[:_NAMED_LINES], *and_more]))
    if report.left_out:
        add_text(
            embed,
            t.plural(
                "There is no room for {count} alias: a server can have 500.",
                "There is no room for {count} aliases: a server can have 500.",
                report.left_out,
            ),
        )
    return embed


def _waiting_menu(t: Language, asker: MemberId, waiting: Sequence[SuggestedName]) -> list[Component]:
    """Return a menu of the waiting suggestions; none if there are none."""
    gone = _gone(t)
    choices = {
        SuggestionAddress(asker=asker, suggestion=each.kept.number): choice_text(
            f"{each.kept.name} → {each.song.title if each.song else gone}"
        )
        for each in waiting[:MAX_CHOICES]
    }
    label = t.plural("{count} suggestion waits", "{count} suggestions wait", len(waiting))
    return [PageMenu(choices, placeholder=label)] if choices else []


def _means(t: Language, name: str, song: Song | None) -> str:
    return t(
        "In this server, “{alias}” now means **{title}**.",
        alias=escape(name, width=HEADING_WIDTH),
        title=_whole_title(t, song),
    )


def _whole_title(t: Language, song: Song | None) -> str:
    return escape(song.title, room=_MAX_TITLE_CHARACTERS) if song else _gone(t)


def _gone(t: Language) -> str:
    return t("a song that is gone")


def _gone_note(t: Language) -> str:
    """Return the note about aliases whose song is gone, and what the server's managers can do."""
    return t(
        "A song that is gone is not, or no longer, in the version of the game that you look at. Where it "
        "is in none, the people who manage this server can refuse such an alias, or remove it with "
        "`/alias remove`."
    )
