"""The common parts of all automatic posts, and messages about them."""

from collections.abc import Iterable, Mapping
from typing import Final

from discord import ActionRow, Embed, Message
from discord.ui import View

from bot.domain.posts import Post, PostKind, PostPlan
from bot.ui.kit.look import HEADING_WIDTH, QUIET, add_text
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import PageButton, mark_of, view_of
from bot.ui.language.text import Language, mark

_TURNED_OFF: Final[Mapping[PostKind, tuple[str, str, str]]] = {
    PostKind.FEED: (
        mark("Feed turned off"),
        mark(
            "The channel of the feed has been gone for three days, so I have stopped. Set it up again in "
            "another one with `/feed channel`."
        ),
        mark(
            "I could not write in <#{channel}> for three days, so I have stopped. Let me write there again, "
            "or choose another channel, and set it up again with `/feed channel`."
        ),
    ),
    PostKind.DAILY: (
        mark("Daily post turned off"),
        mark(
            "The channel of the daily post has been gone for three days, so I have stopped. Set it up again "
            "in another one with `/daily channel`."
        ),
        mark(
            "I could not write in <#{channel}> for three days, so I have stopped. Let me write there again, "
            "or choose another channel, and set it up again with `/daily channel`."
        ),
    ),
}
"""The title, the text if the channel is gone, and the text if the bot has no access to it."""
_OTHER_TURNED_OFF: Final = (
    mark("Post turned off"),
    mark(
        "The channel was gone for three posts in a row, so I have stopped. Set them up again in another "
        "one with `/daily channel`."
    ),
    mark(
        "I could not write in <#{channel}> for three posts in a row, so I have stopped. Let me write "
        "there again, or choose another channel, and set them up again with `/daily channel`."
    ),
)


def marked(view: View | None, post: Post) -> View | None:
    """Return the view of a post, marked with its post and claim.

    The mark is in the id of the first button, which only the bot reads, to find the post again.
    Raises: ValueError if there is no button.
    """
    claim = f".{post.tries}" if post.tries > 1 else ""
    match view.children if view else ():
        case [PageButton() as first, *others]:
            return view_of([first.marked(f"{post.nonce}{claim}"), *others])
        case _:
            message = "a post is found again by its first button"
            raise ValueError(message)


def claim_of(message: Message, post: Post) -> int | None:
    """Return the claim that made a message of the bot; None if it is not that post."""
    buttons = (each for row in message.components if isinstance(row, ActionRow) for each in row.children)
    marks = [mark_of(each.custom_id or "") for each in buttons]
    # Earlier versions had it at the end of the footer; posts of the half day before an upgrade may be searched for.
    marks += [(embed.footer.text or "").split(" · ")[-1] for embed in message.embeds]
    for each in marks:
        nonce, _, claim = each.partition(".")
        if nonce == post.nonce:
            return int(claim) if claim.isdecimal() else 1
    return None


def channels_text(t: Language, plans: Iterable[PostPlan]) -> str:
    """Return the channels of plans, each once."""
    return t.all_of(dict.fromkeys(f"<#{plan.channel}>" for plan in plans))


def turned_off_embed(t: Language, plan: PostPlan, *, is_gone: bool, server: str = "") -> Embed:
    """Return the message to managers when Discord has refused a plan's posts three times in a row.

    `is_gone`: the channel does not exist any more; `server`: its name, if the message is not read there.
    """
    title, gone, closed = _TURNED_OFF.get(plan.what, _OTHER_TURNED_OFF)
    said = t(gone if is_gone else closed, channel=plan.channel)
    embed = Embed(title=t(title), description=said, colour=QUIET)
    if server:
        add_text(embed, t("This is about the server {server}.", server=escape(server, width=HEADING_WIDTH)))
    return embed
