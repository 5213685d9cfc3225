import pytest

from bot.wire.hosts import is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "records.example", "localhost.example", ""]
)
def test_another_machine(host: str) -> None:
    assert not is_loopback(host)
