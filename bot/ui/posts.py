"""What all posts have that the bot makes by itself, and what is said of them."""

from collections.abc import Iterable

from discord import Embed

from bot.domain.ids import ChannelId
from bot.domain.posts import Post
from bot.ui.look import QUIET
from bot.ui.text import Language


def marked(embed: Embed, post: Post) -> Embed:
    """Write into a post's footer which one it is, so that the bot finds it again; returns the embed."""
    before = f"{embed.footer.text} · " if embed.footer.text else ""
    return embed.set_footer(text=f"{before}{post.nonce}", icon_url=embed.footer.icon_url)


def has_mark(embeds: Iterable[Embed], post: Post) -> bool:
    """Return whether a message of the bot is that post."""
    return any((embed.footer.text or "").split(" · ")[-1] == post.nonce for embed in embeds)


def turned_off_embed(t: Language, channel: ChannelId) -> Embed:
    """Return what managers are told once Discord has refused a plan's posts for some days."""
    embed = Embed(title=t("Daily post turned off"), colour=QUIET)
    embed.description = t(
        "For three days I could not write in <#{channel}>, so I have stopped. Give me back the permission to write "
        "there, or choose another channel, and set it up again with `/daily channel`.",
        channel=channel,
    )
    return embed
