from collections import Counter

import aiohttp

from bot.metrics import MetricsServer, write_counts


async def test_counts_are_served_to_this_machine() -> None:
    counts = Counter({"sent": 3})
    async with MetricsServer(0, counts) as server, aiohttp.ClientSession() as session:
        assert server.address.startswith("http://127.0.0.1:")
        counts["too_many"] += 1
        async with session.get(server.address) as response:
            text = await response.text()
        async with session.get(server.address + "x") as response:
            assert response.status == 404
    assert 'kiroku_requests_total{what="sent"} 3' in text.splitlines()
    assert 'kiroku_requests_total{what="too_many"} 1' in text.splitlines()


def test_what_was_never_counted_is_nought() -> None:
    assert 'what="refused"} 0' in write_counts({})
