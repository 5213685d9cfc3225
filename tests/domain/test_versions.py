from datetime import date, timedelta
from itertools import pairwise

from bot.domain.versions import VERSIONS, version_of


def test_a_song_counts_to_the_version_that_began_last() -> None:
    for at, version in enumerate(VERSIONS):
        assert version_of(version.since) == at
        assert version_of(version.since - timedelta(days=1)) == max(0, at - 1)
    assert version_of(date(2040, 1, 1)) == len(VERSIONS) - 1


def test_versions_follow_one_another_and_no_name_is_used_twice() -> None:
    assert all(one.since < other.since for one, other in pairwise(VERSIONS))
    names = [name for version in VERSIONS for name in version.names]
    assert len(set(names)) == len(names)
    assert all(name == name.casefold() for name in names)
