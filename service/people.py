"""Builds the accounts, players and friends of replies. Source: specification, "Account and player", "Friend entry"."""

from typing import Final

from service.model import Friendship, StoredAccount
from service.numbers import day, day_with_slashes, number, timestamp

_SITE: Final = "https://records.example"
_SHORT_ADDRESS: Final = "https://r.example"
_PAGES: Final = (
    ("mypage", "マイページ", ""),
    ("worldsend", "WORLD'S END", "/worldsend"),
    ("overpower", "OVER POWER", "/overpower"),
    ("stat", "統計", "/stat"),
    ("course", "コース", "/course"),
)
"""Name, title and path of each page that an account has on the web site, which is invented."""


def user_v1_3(account: StoredAccount) -> dict[str, object]:
    """Return `{account, player}` of version 1.3."""
    return {
        "account": {
            "user_id": account.user_id,
            "user_name": account.user_name,
            "is_protected": account.is_protected,
            "user_description": account.description,
            "urls": _urls(account),
        },
        "player": {
            "playername": account.player_name,
            "honor": account.honor,
            "honor_type": account.honor_type,
            "level": account.level,
            "rating": number(account.rating),
            "rating_max": number(account.rating_max),
            "classemblem": account.class_emblem,
            "updated_on": day(account.updated_at),
        },
    }


def user_v1_0(account: StoredAccount) -> dict[str, object]:
    """Return `{account, player}` of version 1.0."""
    return {
        "account": {"id": account.user_id, "name": account.user_name, "urls": _urls(account)},
        "player": {
            "playername": account.player_name,
            "honor": account.honor,
            "rating": number(account.rating),
            "rating_max": number(account.rating_max),
            "update_on": day_with_slashes(account.updated_at),
        },
    }


def _urls(account: StoredAccount) -> list[dict[str, str]]:
    return [
        {
            "name": name,
            "title": title,
            "url": f"{_SITE}/{account.user_name}{path}",
            "url_short": f"{_SHORT_ADDRESS}/{account.user_id}{path}",
        }
        for name, title, path in _PAGES
    ]


def friend_v2_0(friendship: Friendship) -> dict[str, object]:
    """Return a friend entry of version 2.0."""
    account = friendship.account
    return {
        **_friend(friendship),
        "updated_at": timestamp(0 if _is_hidden(friendship) else account.updated_at),
        "user_description": "" if _is_hidden(friendship) else account.description,
        "default_region": account.default_region,
    }


def friend_v1_3(friendship: Friendship) -> dict[str, object]:
    """Return a friend entry of version 1.3."""
    hidden = _is_hidden(friendship)
    return {**_friend(friendship), "updated_on": day(0 if hidden else friendship.account.updated_at)}


def _friend(friendship: Friendship) -> dict[str, object]:
    account, hidden = friendship.account, _is_hidden(friendship)
    return {
        "user_id": account.user_id,
        "user_name": account.user_name,
        "player_name": account.player_name,
        "rating": 0 if hidden else number(account.rating),
        "rating_max": 0 if hidden else number(account.rating_max),
        "is_protected": account.is_protected,
        "is_accepted": friendship.is_accepted,
        "incoming": friendship.is_incoming,
    }


def _is_hidden(friendship: Friendship) -> bool:
    """Return whether the rules keep the player's data from the reader: a request is no friendship yet."""
    return friendship.account.is_protected and not friendship.is_accepted
