"""Whom a list is about, as a component's id carries it: "m123", "d123", "uAlice", or nothing for the asker."""

from bot.domain.ids import MemberId, UserName
from bot.features.askers import Subject


def subject_text(subject: Subject) -> str:
    """Return what `read_subject` reads back."""
    if subject.member is not None:
        # Someone asked for in a server stays looked up as a member of it: the message lives there.
        return f"{'m' if subject.shares_server else 'd'}{subject.member}"
    # A colon ends what stands in an id; no name of the service holds one, so nobody is taken for another.
    return f"u{subject.player.replace(':', '?')}" if subject.player else ""


def read_subject(text: str, *, is_server: bool) -> Subject:
    """Return whom a component's id is about; `is_server` says whether it was pressed in a server."""
    kind, rest = text[:1], text[1:]
    if kind == "u":
        return Subject(player=UserName(rest))
    if kind in ("m", "d"):
        return Subject(member=MemberId(int(rest)), shares_server=is_server and kind == "m")
    return Subject()
