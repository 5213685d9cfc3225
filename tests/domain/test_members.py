from datetime import UTC, datetime

import pytest

from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility


@pytest.mark.parametrize(
    ("visibility", "asker", "shares_server", "is_open"),
    [
        (Visibility.ONLY_ME, 1, False, True),
        (Visibility.ONLY_ME, 2, True, False),
        (Visibility.SERVERS, 2, True, True),
        (Visibility.SERVERS, 2, False, False),
        (Visibility.ANYONE, 2, False, True),
    ],
)
def test_who_may_look(*, visibility: Visibility, asker: int, shares_server: bool, is_open: bool) -> None:
    link = AccountLink(
        member=MemberId(1),
        user_id=UserId(7),
        user_name=UserName("a"),
        region=JP2,
        visibility=visibility,
        linked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
    assert link.is_open_to(MemberId(asker), shares_server=shares_server) is is_open
