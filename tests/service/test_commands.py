"""service/command.py and the commands beside it: `kiroku service`, as an operator meets it."""

import json
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner, Result

from bot.__main__ import main
from bot.domain.ids import JP2, UserName
from service.records_source import COLUMNS
from service.schema import opened, write
from service.seed import SeededPlayer, SeedReport, seed
from service.server import running
from service.serving import CannotServe, ListenOptions
from service.store import find_account_by_name, load_catalogue, load_records
from service.tokens import digest, find_holder, is_token
from tests.service.conftest import Caller


@pytest.fixture
def database(tmp_path: Path) -> Path:
    seed(tmp_path / "records.db", players=1)
    return tmp_path / "records.db"


def service(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["service", *map(str, arguments)])


def test_a_token_is_shown_once_and_kept_as_a_digest(database: Path) -> None:
    assert service("user", "add", "--db", database, "new_one").exit_code == 0
    issued = service("token", "issue", "--db", database, "--user", "new_one")
    token = issued.stdout.strip()
    assert is_token(token)
    assert all(token.encode() not in file.read_bytes() for file in database.parent.iterdir())
    with opened(database) as connection:
        assert find_holder(connection, digest(token)) is not None
    listing = service("token", "list", "--db", database).stdout.splitlines()
    assert token not in "".join(listing)
    number, name, _day, state = listing[-1].split("\t")
    assert (name, state) == ("new_one", "")
    assert service("token", "revoke", "--db", database, number).exit_code == 0
    with opened(database) as connection:
        assert find_holder(connection, digest(token)) is None
    again = service("token", "revoke", "--db", database, number)
    assert (again.exit_code, "no token" in again.stderr) == (1, True)


def test_accounts(database: Path) -> None:
    for arguments in (
        ("add", "--db", database, "one"),
        ("add", "--db", database, "other", "--player-name", "ＯＴＨＥＲ", "--protected"),
        ("friend", "--db", database, "one", "other"),
        ("protect", "--db", database, "one"),
        ("protect", "--db", database, "other", "--off"),
    ):
        result = service("user", *arguments)
        assert result.exit_code == 0, result.output
    with opened(database) as connection:
        one = find_account_by_name(connection, "one")
        other = find_account_by_name(connection, "other")
        assert one is not None
        assert other is not None
        assert (one.is_protected, other.is_protected) == (True, False)
        assert other.player_name == "ＯＴＨＥＲ"
    for arguments, reason in (
        (("add", "--db", database, "one"), "there is a user one already"),
        (("add", "--db", database, "no name"), "letters, digits and underscores"),
        (("friend", "--db", database, "one", "one"), "nobody is their own friend"),
        (("protect", "--db", database, "nobody"), "there is no user nobody"),
    ):
        result = service("user", *arguments)
        assert result.exit_code == 1
        assert reason in result.stderr


def charts(database: Path) -> list[tuple[str, str]]:
    with opened(database) as connection:
        return [
            (song.song_id, chart.difficulty)
            for song in load_catalogue(connection, JP2).songs
            for chart in song.charts
            if chart.constant
        ]


def scores(database: Path, user_name: str) -> dict[tuple[str, str], int]:
    with opened(database) as connection:
        account = find_account_by_name(connection, user_name)
        assert account is not None
        found = load_records(connection, load_catalogue(connection, JP2), account.user_id)
        return {(record.song.song_id, record.chart.difficulty): record.score for record in found}


def test_records_come_in_from_csv(database: Path, tmp_path: Path) -> None:
    service("user", "add", "--db", database, "new_one")
    file = tmp_path / "plays.csv"
    wanted = {chart: 1_000_000 + number for number, chart in enumerate(charts(database)[:40])}
    rows = [
        f"{song},{diff},{score},1,0,0,,2026-05-01T12:00:00+0900" for (song, diff), score in wanted.items()
    ]
    header = "id,diff,score,is_clear,is_fullcombo,is_alljustice,is_fullchain,updated_at"
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    result = service("import", "--db", database, "--records", file, "--user", "new_one")
    assert result.exit_code == 0, result.output
    assert scores(database, "new_one") == wanted
    with opened(database) as connection:
        account = find_account_by_name(connection, "new_one")
        assert account is not None
        assert account.rating == account.rating_max > 0
        assert account.updated_at == 1777604400


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{id},{diff},x,1", "line 3: score: Input should be a valid integer"),
        ("{id},{diff},1010001,1", "line 3: score: Input should be less than or equal to 1010000"),
        ("{id},{diff},-1,1", "line 3: score: Input should be greater than or equal to 0"),
        ("{id},{diff}", "line 3: score: Field required"),
        ("zz,{diff},1", "line 3: id: String should match pattern"),
        ("{id},XXX,1,1", "line 3: the catalogue has no chart 'XXX'"),
        ("ffffffffffffffff,MAS,1,1", "line 3: the catalogue has no chart 'MAS' of a song 'ffffffffffffffff'"),
        ("{id},{diff},1,maybe", "line 3: is_clear: Input should be a valid boolean"),
        ("{id},{diff},1,1,0,0,,,9", "line 3: more cells than columns"),
        ("{id},{diff},1,1,0,1", "line 3: is_alljustice without is_fullcombo"),
        (
            "{id},{diff},1,1,,,,9999-12-31T23:59:59+00:00",
            "line 3: updated_at: Expected an ISO 8601 time with an offset, up to the year 2200",
        ),
        ("{id},{diff},1,1,,,,20260501", "line 3: updated_at: Expected an ISO 8601 time with an offset"),
        ("{id},{diff},1,1,,,,May 1st", "line 3: updated_at: Expected an ISO 8601 time with an offset"),
        ("{other},{other_diff},1,1", "line 3: the chart occurs twice"),
    ],
)
def test_one_bad_line_and_nothing_comes_in(database: Path, tmp_path: Path, row: str, reason: str) -> None:
    service("user", "add", "--db", database, "new_one")
    first, second, *_ = charts(database)
    file = tmp_path / "plays.csv"
    line = row.format(id=second[0], diff=second[1], other=first[0], other_diff=first[1])
    text = f"{','.join(COLUMNS)}\n{first[0]},{first[1]},900000,1\n{line}\n"
    file.write_text(text, encoding="utf-8")
    result = service("import", "--db", database, "--records", file, "--user", "new_one")
    assert (result.exit_code, reason in result.stderr) == (1, True), result.stderr
    assert result.stderr.endswith("Nothing was changed: correct the file, then import it again.\n")
    assert scores(database, "new_one") == {}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("x.csv", "id,diff,score,is_played", "line 1: the column 'is_played' is missing, not known"),
        ("x.csv", "id,diff,score,id", "line 1: the column 'id' is missing, not known, or there twice"),
        ("x.csv", "id,diff", "line 1: the column 'score' is missing"),
        ("x.csv", "id,diff,score,題名", "line 1: 'utf-8' codec"),
        ("x.json", '{"records": {}}', "expected an object with records"),
        ("x.json", '{"records": [{"id": "0"}]}', "record 1: id: String should match pattern"),
        ("x.json", '{"records": ["x"]}', "record 1: "),
    ],
)
def test_what_is_wrong_has_a_place(
    database: Path, tmp_path: Path, name: str, content: str, reason: str
) -> None:
    service("user", "add", "--db", database, "new_one")
    (tmp_path / name).write_text(content, encoding="shift-jis")
    result = service("import", "--db", database, "--records", tmp_path / name, "--user", "new_one")
    assert (result.exit_code, reason in result.stderr) == (1, True), result.stderr


@pytest.mark.parametrize("content", ["empty", "foreign", "text"])
def test_a_file_that_is_not_ours_stays_as_it_is(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.db"
    file.write_text("no database at all" if content == "text" else "", encoding="utf-8")
    if content == "foreign":
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE theirs (a)")
            connection.execute("PRAGMA user_version = 1")
    before = file.read_bytes()
    commands = [("token", "list"), ("user", "add", "name"), ("serve", "--port", 0)]
    for command in commands if content == "empty" else [*commands, ("seed",)]:
        result = service(*command, "--db", file)
        assert (result.exit_code, "is not a database of the" in result.stderr) == (1, True), result.output
        assert file.read_bytes() == before


def test_a_database_locked_for_long_is_one_sentence(database: Path) -> None:
    with opened(database) as holder, opened(database) as other:
        other.execute("PRAGMA busy_timeout = 0")
        with write(holder), pytest.raises(ValueError, match="cannot be written now: "), write(other):
            pass


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("token", "revoke", "9" * 20), "is not in the range"),
        (("user", "add", "one", "--player-name", "a\nb"), "no control characters"),
        (("user", "add", "one", "--region", "JP 2"), "a region is written"),
        (("serve", "--port", 0, "--region", "../jp"), "a region is written"),
        (("serve", "--port", 0, "--quick", "nan"), "nan is no number of seconds"),
        (("serve", "--port", 0, "--arrival", "inf"), "inf is no number of seconds"),
    ],
)
def test_nonsense_is_refused(database: Path, command: tuple[object, ...], reason: str) -> None:
    result = service(*command, "--db", database)
    assert isinstance(result.exception, SystemExit)
    assert reason in result.stderr


async def test_a_saved_reply_comes_in_as_it_went_out(database: Path, tmp_path: Path) -> None:
    report = seed(tmp_path / "other.db", players=1)
    player: SeededPlayer = report.players[0]
    async with running(tmp_path / "other.db") as base, aiohttp.ClientSession() as session:
        query = {"region": "jp2", "token": player.token}
        async with session.get(f"{base}/2.0/records/showall.json", params=query) as response:
            reply = await response.read()
    file = tmp_path / "reply.json"
    file.write_bytes(reply)
    service("user", "add", "--db", database, "new_one")
    result = service("import", "--db", database, "--records", file, "--user", "new_one")
    assert result.exit_code == 0, result.output
    assert scores(database, "new_one") == {
        (record["id"], record["diff"]): record["score"] for record in json.loads(reply)["records"]
    }


def test_a_rating_that_comes_with_the_records_is_kept(database: Path, tmp_path: Path) -> None:
    (song, difficulty), *_ = charts(database)
    play = {"id": song, "diff": difficulty, "title": "A", "level": 13, "const": 13.2, "score": 1_000_000}
    file = tmp_path / "reply.json"
    service("user", "add", "--db", database, "new_one")

    def kept(rating: float | None) -> int:
        file.write_text(json.dumps({"records": [play], "rating": rating}), encoding="utf-8")
        service("import", "--db", database, "--records", file, "--user", "new_one")
        with opened(database) as connection:
            account = find_account_by_name(connection, "new_one")
        return account.rating if account else 0

    assert [kept(16.85), kept(101)] == [1685, 1685]
    assert 0 < kept(None) < 100


@pytest.mark.parametrize("said", ["May 1st", "20260501", "2026-05-01T12:00:00", "", {}, 1e30])
def test_a_reply_with_a_time_that_is_none_does_not_come_in(
    database: Path, tmp_path: Path, said: object
) -> None:
    song, difficulty = charts(database)[0]
    play = {"level": 13.5, "title": "A", "const": 13.7, "rating": 1, "score": 1, "is_const_unknown": False}
    entries = [{**play, "id": song, "diff": difficulty, "updated_at": each} for each in (None, said)]
    file = tmp_path / "reply.json"
    file.write_text(json.dumps({"records": entries}), encoding="utf-8")
    service("user", "add", "--db", database, "new_one")
    result = service("import", "--db", database, "--records", file, "--user", "new_one")
    assert result.exit_code == 1
    assert "updated_at: Expected an ISO 8601 time with an offset" in result.stderr
    assert "record 2" in result.stderr
    assert scores(database, "new_one") == {}


async def test_a_real_reply_comes_in_whole(database: Path, tmp_path: Path) -> None:
    known = charts(database)[0]
    play = {"level": 13.5, "title": "Gone", "const": 13.7, "rating": 1, "is_const_unknown": True}
    gone = {**play, "id": "f" * 16, "score": 1_000_000, "genre": "VARIETY", "is_played": 1}
    lit = {"is_clear": 1, "is_fullcombo": None, "is_alljustice": True, "is_fullchain": "0"}
    dark = {"is_clear": False, "is_fullcombo": False, "is_alljustice": False, "is_fullchain": False}
    entries: list[dict[str, object]] = [
        {**play, "id": known[0], "diff": known[1], "score": 900_000, **dark},
        {**gone, "diff": "MAS", "updated_at": "1970-01-01T09:00:00+0900", **lit},
        {**gone, "diff": "XXX", "updated_at": "2026-05-01T12:00:00+09:00", "const": None, "level": None},
        {**gone, "diff": "ULT", "is_played": 0},
        {**gone, "id": known[0], "diff": "YYY", "title": "Another title", "const": 0},
    ]
    file = tmp_path / "reply.json"
    file.write_text(json.dumps({"records": entries}), encoding="utf-8-sig")
    service("user", "add", "--db", database, "new_one")
    token = service("token", "issue", "--db", database, "--user", "new_one").stdout.strip()
    before = len(charts(database))
    for _ in range(2):  # what is kept once is found again
        result = service("import", "--db", database, "--records", file, "--user", "new_one")
        assert result.stdout == (
            "4 records of new_one in jp2, 3 of them on charts that the catalogue does not list\n"
        )
    assert len(charts(database)) == before
    async with running(database) as base, aiohttp.ClientSession() as session:
        caller = Caller(session, base)
        query: dict[str, str | int] = {"region": "jp2"}
        _, reply = await caller.ask("/2.0/records/showall.json", token, **query)
        _, old = await caller.ask("/1.0/records/filter.json", token)
        status, _ = await caller.ask("/1.3/music/show.json", token, id="f" * 16)
        _, described = await caller.ask("/openapi.json")
    assert status == 404
    served = {(record["id"], record["diff"]): record for record in reply["records"]}
    lamp = described["components"]["schemas"]["RecordV20"]["properties"]["is_clear"]
    assert lamp["type"] == ["boolean", "null"]
    gone_master = served["f" * 16, "MAS"]
    assert [gone_master[name] for name in ("title", "genre", "level", "const", "is_const_unknown")] == [
        "Gone", "VARIETY", 13.5, 13.7, True,
    ]  # fmt: skip
    assert gone_master["rating"] == 14.7
    assert [gone_master[name] for name in lit] == [True, True, True, False]
    assert [served[known][name] for name in lit] == [False, False, False, False]
    unsaid = served["f" * 16, "XXX"]
    assert [unsaid[name] for name in lit] == [None, None, None, None]
    assert (unsaid["level"], unsaid["const"], unsaid["updated_at"]) == (0, 0, "2026-05-01T12:00:00+0900")
    assert served[known[0], "YYY"]["title"] != "Another title"
    assert {record["diff"] for record in old["scores"]} == {known[1], "MAS"}


def test_a_song_that_comes_back_is_listed_again(database: Path, tmp_path: Path) -> None:
    song = {"id": "f" * 16, "title": "Gone"}
    records, songs = tmp_path / "reply.json", tmp_path / "songs.json"
    records.write_text(json.dumps({"records": [{**song, "diff": "MAS", "score": 1}]}), encoding="utf-8")
    songs.write_text(json.dumps([{"meta": song, "data": {"MAS": {"const": 14}}}]), encoding="utf-8")
    service("user", "add", "--db", database, "new_one")
    service("import", "--db", database, "--records", records, "--user", "new_one")
    assert service("import", "--db", database, "--catalogue", songs).exit_code == 0
    assert charts(database) == [("f" * 16, "MAS")]
    assert scores(database, "new_one") == {("f" * 16, "MAS"): 1}


def test_an_import_counts_and_names_the_songs_it_left_out(database: Path, tmp_path: Path) -> None:
    file = tmp_path / "songs.json"
    good = {"meta": {"id": "0" * 16, "title": "Good"}, "data": {}}
    file.write_text(json.dumps([good, {"meta": {"id": "x", "title": "Bad"}}]), encoding="utf-8-sig")
    result = service("import", "--db", database, "--catalogue", file)
    assert result.stdout == "1 songs of jp2, 1 left out\n"
    assert "left out: song 2 'Bad': meta.id: String should match pattern" in result.stderr
    seeded = service("seed", "--db", tmp_path / "other.db", "--catalogue", file, "--json")
    assert "left out: song 2 'Bad': meta.id: String should match pattern" in seeded.stderr
    assert json.loads(seeded.stdout)["songs"] == 1


def test_a_database_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    result = service("seed", "--db", tmp_path / "nowhere" / "x.db")
    assert (result.exit_code, "x.db cannot be opened" in result.stderr) == (1, True)
    assert isinstance(result.exception, SystemExit)
    (tmp_path / "file").touch()
    below = service("seed", "--db", tmp_path / "file" / "x.db")
    assert (below.exit_code, "x.db cannot be opened: check that its folder" in below.stderr) == (1, True)


def test_the_command_line_says_what_is_missing(database: Path, tmp_path: Path) -> None:
    assert "give either" in service("import", "--db", database).output
    file = tmp_path / "x.json"
    file.write_text("[{}]", encoding="utf-8")
    assert "--records needs --user" in service("import", "--db", database, "--records", file).output
    broken = service("import", "--db", database, "--catalogue", file)
    assert (broken.exit_code, "song 1: meta: Field required" in broken.stderr) == (1, True)
    other = service("seed", "--db", file)
    assert (other.exit_code, "is not a database of the record service" in other.stderr) == (1, True)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "records.example"])  # noqa: S104 - refused
def test_plain_http_stays_on_this_machine(database: Path, host: str) -> None:
    result = service("serve", "--db", database, "--port", 0, "--host", host)
    assert (result.exit_code, "is not a loopback address" in result.stderr) == (1, True)


def test_a_port_that_is_taken_is_one_sentence(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = service("serve", "--db", database, "--port", port)
    assert result.exit_code == 1
    assert (
        f"Error: port {port} of 127.0.0.1 is taken: give another --port, or 0 for a free one" in result.stderr
    )


def test_loopback_may_be_written_as_ipv6() -> None:
    assert ListenOptions(host="::ffff:127.0.0.1").context() is None
    with pytest.raises(CannotServe):
        ListenOptions(host="::ffff:192.0.2.1").context()


def test_a_bad_certificate_names_its_file(database: Path, tmp_path: Path) -> None:
    for content in ("no certificate", ""):
        (tmp_path / "bad.pem").write_text(content, encoding="utf-8")
        result = service("serve", "--db", database, "--port", 0, "--tls-cert", tmp_path / "bad.pem")
        assert (result.exit_code, "bad.pem" in result.stderr) == (1, True)
        assert "None" not in result.stderr


def test_seeding_twice_replaces_the_invented_and_spares_the_others(tmp_path: Path) -> None:
    database = tmp_path / "records.db"
    first: SeedReport = seed(database, players=6)
    service("user", "add", "--db", database, "real_person")
    second = seed(database, players=6)
    assert [player.user_name for player in first.players] == [player.user_name for player in second.players]
    assert {player.user_id for player in first.players}.isdisjoint(p.user_id for p in second.players)
    with opened(database) as connection:
        assert find_account_by_name(connection, UserName("real_person")) is not None
        assert find_holder(connection, digest(first.players[0].token)) is None


def test_the_same_seed_gives_the_same_careers(tmp_path: Path) -> None:
    for name in ("one", "two"):
        seed(tmp_path / name, players=10, seed=7)
    for user_name in ("minamo_plays", "haruka88", "sora_ch"):
        assert scores(tmp_path / "one", user_name) == scores(tmp_path / "two", user_name)
