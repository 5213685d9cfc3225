"""What all posts have that the bot makes by itself, and what is said of them."""

from collections.abc import Iterable

from discord import Embed

from bot.domain.posts import Post, PostPlan, What
from bot.ui.look import QUIET
from bot.ui.text import Language


def marked(embed: Embed, post: Post) -> Embed:
    """Write into a post's footer which one it is, so that the bot finds it again; returns the embed."""
    before = f"{embed.footer.text} · " if embed.footer.text else ""
    return embed.set_footer(text=f"{before}{post.nonce}", icon_url=embed.footer.icon_url)


def has_mark(embeds: Iterable[Embed], post: Post) -> bool:
    """Return whether a message of the bot is that post."""
    return any((embed.footer.text or "").split(" · ")[-1] == post.nonce for embed in embeds)


def channels_text(plans: Iterable[PostPlan]) -> str:
    """Return where plans post, each channel once."""
    return ", ".join(dict.fromkeys(f"<#{plan.channel}>" for plan in plans))


def turned_off_embed(t: Language, plan: PostPlan) -> Embed:
    """Return what managers are told once Discord has refused a plan's posts for some days."""
    if plan.what is What.FEED:
        title = t("Feed turned off")
        said = t(
            "For three days I could not write in <#{channel}>, so I have stopped. Give me back the permission to write "
            "there, or choose another channel, and set it up again with `/feed channel`.",
            channel=plan.channel,
        )
    else:
        title = t("Daily post turned off")
        said = t(
            "For three days I could not write in <#{channel}>, so I have stopped. Give me back the permission to write "
            "there, or choose another channel, and set it up again with `/daily channel`.",
            channel=plan.channel,
        )
    return Embed(title=title, description=said, colour=QUIET)
