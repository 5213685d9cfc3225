"""What all posts have that the bot makes by itself, and what is said of them."""

from collections.abc import Iterable

from discord import Embed

from bot.domain.posts import Post, PostPlan, What
from bot.ui.look import HEADING_WIDTH, QUIET, add_text
from bot.ui.markdown import escape
from bot.ui.text import Language


def marked(embed: Embed, post: Post) -> Embed:
    """Return a post with its footer saying which one it is, and which claim has made it, so that the bot finds it again."""
    before = f"{embed.footer.text} · " if embed.footer.text else ""
    claim = f".{post.tries}" if post.tries > 1 else ""
    return embed.copy().set_footer(text=f"{before}{post.nonce}{claim}", icon_url=embed.footer.icon_url)


def claim_of(embeds: Iterable[Embed], post: Post) -> int | None:
    """Return which claim has made a message of the bot; None where it is not that post."""
    for embed in embeds:
        nonce, _, claim = (embed.footer.text or "").split(" · ")[-1].partition(".")
        if nonce == post.nonce:
            return int(claim) if claim.isdecimal() else 1
    return None


def channels_text(t: Language, plans: Iterable[PostPlan]) -> str:
    """Return where plans post, each channel once."""
    return t.all_of(dict.fromkeys(f"<#{plan.channel}>" for plan in plans))


def turned_off_embed(t: Language, plan: PostPlan, *, is_gone: bool, server: str = "") -> Embed:
    """Return what managers are told once Discord has refused a plan's posts for some days.

    `is_gone`: there is no such channel any more; `server`: its name, where it is not read there.
    """
    if plan.what is What.FEED:
        title = t("Feed turned off")
        said = (
            t(
                "For three days the channel of the feed has been gone, so I have stopped. Set it up again in another one "
                "with `/feed channel`."
            )
            if is_gone
            else t(
                "For three days I could not write in <#{channel}>, so I have stopped. Give me back the permission to write "
                "there, or choose another channel, and set it up again with `/feed channel`.",
                channel=plan.channel,
            )
        )
    else:
        title = t("Daily post turned off")
        said = (
            t(
                "For three days the channel of the daily post has been gone, so I have stopped. Set it up again in another "
                "one with `/daily channel`."
            )
            if is_gone
            else t(
                "For three days I could not write in <#{channel}>, so I have stopped. Give me back the permission to write "
                "there, or choose another channel, and set it up again with `/daily channel`.",
                channel=plan.channel,
            )
        )
    embed = Embed(title=title, description=said, colour=QUIET)
    if server:
        add_text(embed, t("This is about the server {server}.", server=escape(server, width=HEADING_WIDTH)))
    return embed
