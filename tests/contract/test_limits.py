"""The limits of the specification, as they are when nobody changes them."""

import time
from pathlib import Path

from tests.contract.conftest import Outsider, Server, seeded

ME = {"1.3": "/1.3/users/me.json", "1.0": "/1.0/users/me.json", "2.0": "/2.0/friends/list.json"}


def test_limits_survive_a_restart_and_end_in_429(tmp_path: Path) -> None:
    players, songs = seeded(tmp_path / "records.db")
    server = Server(tmp_path / "records.db")
    outsider = Outsider(server.base, players, songs)
    for version, limit in (("1.3", 120), ("1.0", 200), ("2.0", 120)):
        headers = outsider.get(ME[version]).headers
        assert headers["x-rate-limit-limit"] == str(limit)
        assert headers["x-rate-limit-remaining"] == str(limit - 1)
        assert 0 < int(headers["x-rate-limit-reset"]) - time.time() <= 901
    second = outsider.get(ME["1.3"])
    assert second.headers["x-rate-limit-remaining"] in {"117", "118"}, "two, if it came within 0.5 s"
    other = outsider.get(ME["1.3"], 1)
    assert other.headers["x-rate-limit-remaining"] == "119", "each account has its own window"

    assert server.stop() == 0
    server.start()
    outsider = Outsider(server.base, players, songs)
    third = outsider.get(ME["1.3"])
    assert int(third.headers["x-rate-limit-remaining"]) in {115, 116, 117}
    assert third.headers["x-rate-limit-reset"] == second.headers["x-rate-limit-reset"]
    while (reply := outsider.get(ME["1.3"])).status == 200:
        pass
    assert reply.status == 429
    assert reply.json == {"error": {"code": 429, "message": "too many requests.", "additional_message": ""}}
    assert reply.headers["x-rate-limit-remaining"] == "0"
    assert reply.headers["x-rate-limit-reset"] == second.headers["x-rate-limit-reset"]
    assert outsider.get("/1.3/music/showall.json").status == 429
    assert outsider.get(ME["1.0"]).status == 200
    server.stop()
