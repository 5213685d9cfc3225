"""`kiroku doctor`: each misconfiguration is really made, and is named by its cause and the next step."""

import asyncio
import re
import resource
import shutil
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from socket import create_server

import pytest
from aiohttp import web
from click.testing import CliRunner
from refusing import refusing_discord
from scraping import free_port
from serving import serving
from troubled import small_disk
from yarl import URL

from bot.__main__ import main
from bot.base.clock import ManualClock, SystemClock
from bot.base.config import Settings, parse_settings
from bot.database.free_space import TRIAL_BYTES
from bot.database.trouble import StoreForeign
from bot.demo.redirected import redirected
from bot.domain.ids import JP2, MemberId, Region, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.program.doctor import Doctor
from bot.program.findings import Finding, Verdict
from bot.program.metrics import MetricsServer
from bot.store import Store, Vault, new_key, open_vault
from service.options import ServiceOptions
from service.seed import SeedReport, seed
from service.server import running

NOWHERE = "http://127.0.0.1:1"
SECRET = "5ecre7"
SET = ("DISCORD_TOKEN", "RECORD_API_URL", "RECORD_TOKEN", "TOKEN_KEYS", "DATABASE_URL", "LOG_LEVEL")


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in an empty folder with nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in SET:
        monkeypatch.delenv(name, raising=False)


async def examine(clock: ManualClock | None = None, **settings: str) -> Mapping[str, Finding]:
    """Return what is found by what was tried; no secret is ever in it."""
    for name, value in settings.items():
        assert name in Settings.model_fields, name
        assert value is not None
    doctor = Doctor(parse_settings(settings), clock or SystemClock())
    found = {finding.what: finding for finding in await doctor.examine()}
    assert SECRET not in "".join(map(str, found.values()))
    return found


def wrong(found: Mapping[str, Finding], what: str) -> str:
    assert found[what].mark is Verdict.WRONG, str(found[what])
    return found[what].sentence


def fine(found: Mapping[str, Finding], what: str) -> str:
    assert found[what].mark is Verdict.FINE, str(found[what])
    return found[what].sentence


def doctored(settings: Mapping[str, str]) -> tuple[list[str], int]:
    """Return what the command says, line by line, and how it ends; with its Discord out of reach."""
    with redirected(URL(NOWHERE)):
        result = CliRunner().invoke(main, ["doctor"], env=settings)
    assert isinstance(result.exception, SystemExit | None)
    assert result.stderr == ""
    assert SECRET not in result.output
    return result.stdout.splitlines(), result.exit_code


def said(lines: list[str], what: str) -> str:
    (line,) = [line for line in lines if line[2:].startswith(f"{what}:")]
    return line


def test_everything_that_is_wrong_is_named_in_a_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "aliases.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "constants.txt").write_text("Some Song, MAS, 14.95\n")
    (tmp_path / "versions.txt").write_text("# ours\nNext, jp2, soon, 30+20, 2027-01-28\n")
    settings = {
        "LOG_LEVEL": "LOUD",
        "PATIENCE_SECONDS": "-1",
        "DATABASE_URL": f"postgresql+asyncpg://user:{SECRET}@127.0.0.1:1/db",
        "ALIAS_FILE": "aliases.txt",
        "GAME_VERSIONS": "versions.txt",
        "CONSTANTS_FILE": "constants.txt",
        "NOTICE_FILE": "aliases.txt",
        "DEFAULT_REGION": "jp9",
        "RECORD_API_URL": "http://records.example",
        "DISCORD_TOKEN": SECRET,
    }
    lines, status = doctored(settings)
    assert status == 1
    assert "LOG_LEVEL, PATIENCE_SECONDS" in said(lines, "Settings")
    assert said(lines, "DATABASE_URL").startswith("✗ DATABASE_URL: The database server does not answer.")
    assert "kiroku keys new" in said(lines, "TOKEN_KEYS")
    assert said(lines, "ALIAS_FILE").startswith("✗ ALIAS_FILE: The file aliases.txt is no text in UTF-8.")
    assert said(lines, "GAME_VERSIONS").startswith(
        "✗ GAME_VERSIONS: GAME_VERSIONS is not right: line 2: a day is written like 2025-12-11"
    )
    assert "plain http" in said(lines, "RECORD_API_URL")
    assert "jp2, jp" in said(lines, "DEFAULT_REGION")
    assert said(lines, "DISCORD_TOKEN").startswith("✗ DISCORD_TOKEN: Discord cannot be reached.")
    assert said(lines, "NOTICE_FILE").startswith("✗ NOTICE_FILE: The file aliases.txt is no text in UTF-8.")
    assert said(lines, "CONSTANTS_FILE").startswith(
        "✗ CONSTANTS_FILE: CONSTANTS_FILE is not right: line 1: a line is written like Title or id, MAS, 14.9 ("
    )
    assert len(lines) == 15


def test_which_version_of_the_game_counts_is_said(tmp_path: Path) -> None:
    (tmp_path / "versions.txt").write_text(
        "replace\nOld, jp2, 2020-01-01, 30+20, 2020-01-01\nNext, jp2, 2999-01-01, 30+20, 2999-01-01\n"
    )
    lines, _ = doctored({"GAME_VERSIONS": "versions.txt"})
    assert said(lines, "GAME_VERSIONS") == (
        "✓ GAME_VERSIONS: 2 versions of the game; in jp2 Old since 2020-01-01, Next from 2999-01-01 on."
    )


def test_nothing_is_made(tmp_path: Path) -> None:
    lines, status = doctored({})
    assert status == 1
    assert "DISCORD_TOKEN is not set" in said(lines, "DISCORD_TOKEN")
    assert "RECORD_API_URL is not set" in said(lines, "RECORD_API_URL")
    assert said(lines, "DATABASE_URL").startswith("✓")
    assert said(lines, "Disk").startswith(
        "✓ Disk: a few megabytes can be written; the database has 0 bytes; "
    )
    assert list(tmp_path.iterdir()) == []


def test_an_env_file_that_is_no_text_hides_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"LOG_LEVEL=\xff\xfe")
    lines, _ = doctored({"ALIAS_FILE": "nothing.txt"})
    assert said(lines, "Settings").startswith("✗ Settings: The file .env cannot be read.")
    assert "nothing.txt cannot be read" in said(lines, "ALIAS_FILE")


def test_a_proxy_is_said_not_to_be_used() -> None:
    lines, _ = doctored({"HTTPS_PROXY": f"http://user:{SECRET}@127.0.0.1:1"})
    assert said(lines, "HTTPS_PROXY").startswith("– HTTPS_PROXY: not used")


class TestFile:
    def test_names_that_are_almost_those_of_settings(self, tmp_path: Path) -> None:
        written = f"DISCORD_TOKE={SECRET}\nRECORD_API_ULR=x\nCOMPOSE_PROJECT_NAME=x\nLOG_LEVELS=x\n{SECRET}\n"
        (tmp_path / ".env").write_text(written, encoding="utf-8")
        lines, status = doctored({"LOG_LEVEL": "INFO"})  # which is set, so that nobody looks for it
        assert status == 1
        named = [line for line in lines if "There is no such setting" in line]
        assert named == [
            "✗ DISCORD_TOKE: There is no such setting: DISCORD_TOKEN is meant, most likely.",
            "✗ RECORD_API_ULR: There is no such setting: RECORD_API_URL is meant, most likely.",
        ]

    def test_one_that_everybody_can_read(self, tmp_path: Path) -> None:
        file = tmp_path / ".env"
        file.write_text("LOG_LEVEL=INFO\n")
        file.chmod(0o644)
        assert said(doctored({})[0], ".env").startswith("✗ .env: Everybody on this machine can read it")
        file.chmod(0o640)  # as systemd's user reads it
        assert said(doctored({})[0], ".env").startswith(f"✓ .env: in {tmp_path}.")

    def test_one_that_is_elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / ".env").write_text(f"DISCORD_TOKEN={SECRET}\n")
        (tmp_path / "below").mkdir()
        monkeypatch.chdir(tmp_path / "below")
        told = said(doctored({})[0], ".env")
        assert told == (
            f"✗ .env: There is none in {tmp_path / 'below'}, where the bot was started. "
            f"There is one in {tmp_path}: start the bot there."
        )
        assert said(doctored({"DISCORD_TOKEN": SECRET})[0], ".env").startswith("–")

    def test_a_byte_order_mark_is_passed_over(self, tmp_path: Path) -> None:
        file = tmp_path / ".env"
        file.write_text("LOG_LEVEL=LOUD\n", encoding="utf-8-sig")
        file.chmod(0o600)
        lines, _ = doctored({})
        assert "byte order mark" in said(lines, ".env")
        assert said(lines, "Settings") == (
            "✗ Settings: These settings are not right: LOG_LEVEL. LOG_LEVEL takes DEBUG, INFO, WARNING or ERROR."
        )


class TestDatabase:
    """Of SQLite; PostgreSQL's are in tests/store/test_examine.py."""

    async def test_a_driver_that_is_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "asyncpg", None)
        found = await examine(database_url="postgresql+asyncpg://host/db", token_keys=new_key())
        assert "ops/install FOLDER postgres" in wrong(found, "DATABASE_URL")

    async def test_a_place_where_no_file_can_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        found = await examine(database_url="sqlite+aiosqlite:///file/kiroku.db")
        assert "its folder can be written" in wrong(found, "DATABASE_URL")

    async def test_a_database_of_the_service_is_left_alone(self, service_database: Path) -> None:
        url = f"sqlite+aiosqlite:///{service_database}"
        before = content_of(service_database)
        assert "holds something else" in wrong(await examine(database_url=url), "DATABASE_URL")
        with pytest.raises(StoreForeign):
            async with Store(url, Vault([new_key()]), serves=True):
                pass
        assert content_of(service_database) == before

    async def test_a_database_of_another_program_that_migrates_as_we_do(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as other, other:
            other.execute("UPDATE alembic_version SET version_num = '1975ea83b712'")
        assert "holds something else" in wrong(await examine(), "DATABASE_URL")

    async def test_a_database_newer_than_the_code(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as other, other:
            other.execute("UPDATE alembic_version SET version_num = '9999'")
        assert wrong(await examine(), "DATABASE_URL").startswith("The database was made by a newer version")

    async def test_a_database_in_use(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert fine(await examine(), "DATABASE_URL").startswith("SQLite, at revision ")

    async def test_one_that_is_older_stays_as_it_is(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as other, other:
            other.execute("UPDATE alembic_version SET version_num = '0001'")
        before = {file: file.read_bytes() for file in database.parent.iterdir()}
        assert fine(await examine(), "DATABASE_URL") == "SQLite, at revision 0001."
        assert {file: file.read_bytes() for file in database.parent.iterdir()} == before

    async def test_a_disk_without_room(self, tmp_path: Path) -> None:
        with small_disk(tmp_path / "data", 1):
            found = await examine()
            assert wrong(found, "Disk").startswith("The disk of the database is full, with 1 MB left. Make")
        fine(found, "DATABASE_URL")

    async def test_a_limit_of_files_that_the_database_has_reached(self, database: Path) -> None:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (TRIAL_BYTES + 1, limits[1]))
        try:
            found = await examine()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert "`ulimit -f`" in wrong(found, "Disk")
        assert sorted(file.name for file in database.parent.iterdir()) == ["kiroku.db", "kiroku.key"]

    async def test_a_disk_of_a_database_that_is_none(self) -> None:
        found = await examine(database_url="sqlite+aiosqlite:///:memory:")
        assert found["Disk"].mark is Verdict.UNTRIED

    async def test_a_key_file_that_is_lost(self, database: Path) -> None:
        key = database.with_suffix(".key")
        key.unlink()
        found = await examine()
        assert wrong(found, "TOKEN_KEYS").startswith("The key file data/kiroku.key is missing")
        fine(found, "DATABASE_URL")
        assert not key.exists()

    @pytest.mark.usefixtures("database")
    async def test_a_key_that_is_another_one(self) -> None:
        assert "add it to TOKEN_KEYS" in wrong(await examine(token_keys=new_key()), "TOKEN_KEYS")

    @pytest.mark.usefixtures("database")
    async def test_the_right_key(self) -> None:
        assert fine(await examine(), "TOKEN_KEYS") == "the tokens in the database can be read."


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database in which a token is kept."""
    file = tmp_path / "data" / "kiroku.db"
    link = AccountLink(
        member=MemberId(1), user_id=UserId(7), user_name=UserName("alice"), region=JP2,
        visibility=Visibility.ONLY_ME, linked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )  # fmt: skip

    async def keep() -> None:
        async with Store(f"sqlite+aiosqlite:///{file}", open_vault((), file)) as store:
            await store.links.save(link, SECRET)

    asyncio.run(keep())
    return file


async def test_a_notice_that_everybody_is_shown(tmp_path: Path) -> None:
    assert fine(await examine(), "NOTICE_FILE") == "nothing is shown."
    (tmp_path / "notice").write_text("Until noon.\nja=正午まで。\n", encoding="utf-8")
    shown = fine(await examine(notice_file=str(tmp_path / "notice")), "NOTICE_FILE")
    assert shown == "a sentence in 2 languages is shown to everybody."


async def test_a_port_of_a_bot_that_runs() -> None:
    async with MetricsServer("127.0.0.1", 0) as server:
        found = await examine(metrics_port=server.address.rpartition(":")[2])
    fine(found, "METRICS_PORT")


async def test_a_port_in_use() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert "is in use" in wrong(await examine(metrics_port=str(port)), "METRICS_PORT")
    assert fine(await examine(metrics_port=str(port)), "METRICS_PORT") == f"port {port} is free."


async def test_an_address_of_the_other_family() -> None:
    assert "is free" in fine(await examine(metrics_host="::1", metrics_port=str(free_port())), "METRICS_PORT")
    async with MetricsServer("::1", 0) as server:
        port = server.address.rpartition(":")[2]
        found = await examine(metrics_host="::1", metrics_port=port)
    assert fine(found, "METRICS_PORT") == f"a bot that runs has port {port}."


class TestService:
    """Against the record service itself, and what is none."""

    async def test_a_right_address_with_a_right_token(self, service: str, player: str) -> None:
        found = await examine(record_api_url=service, record_token=player)
        for what in ("RECORD_API_URL", "RECORD_TOKEN", "DEFAULT_REGION", "Clock"):
            fine(found, what)
        assert player not in "".join(map(str, found.values()))

    async def test_lines_of_aliases_that_fit_no_song(
        self, service: str, service_database: Path, player: str, tmp_path: Path
    ) -> None:
        with closing(sqlite3.connect(service_database)) as database:
            ((one,), (other,)) = database.execute(
                "SELECT title FROM songs GROUP BY title HAVING count(*) = 1 ORDER BY song_id LIMIT 2"
            )
        file = tmp_path / "aliases.txt"
        file.write_text(f"one = {one}\nother = {other}\n", encoding="utf-8")
        assert (
            fine(
                await examine(record_api_url=service, record_token=player, alias_file=str(file)), "ALIAS_FILE"
            )
            == "2 aliases."
        )
        assert "once RECORD_TOKEN can be tried" in fine(
            await examine(record_api_url=service, alias_file=str(file)), "ALIAS_FILE"
        )
        file.write_text(f"one = {one}\nother = no such song\nbroken\n", encoding="utf-8")
        said = wrong(
            await examine(record_api_url=service, record_token=player, alias_file=str(file)), "ALIAS_FILE"
        )
        assert said.startswith(
            "These lines do nothing: line 2 fits no song or several (no such song); line 3 is no"
        )
        assert wrong(await examine(record_api_url=service, alias_file=str(file)), "ALIAS_FILE").startswith(
            "These lines do nothing: line 3 is no"
        )

    async def test_lines_of_constants_that_fit_no_chart(
        self, service: str, player: str, tmp_path: Path
    ) -> None:
        file = tmp_path / "constants.txt"
        file.write_text("no such song, MAS, 14.9\n", encoding="utf-8")
        said = wrong(
            await examine(record_api_url=service, record_token=player, constants_file=str(file)),
            "CONSTANTS_FILE",
        )
        assert said.startswith("These lines do nothing: line 1 fits no chart of one song and of that level (")
        assert "no such song, MAS, 14.9" in said
        untried = fine(await examine(record_api_url=service, constants_file=str(file)), "CONSTANTS_FILE")
        assert untried == "1 constants; whether each fits a chart is known once RECORD_TOKEN can be tried."

    async def test_a_token_that_is_refused(self, service: str) -> None:
        found = await examine(record_api_url=service, record_token=SECRET)
        assert wrong(found, "RECORD_TOKEN").startswith("The record service rejects RECORD_TOKEN.")
        fine(found, "RECORD_API_URL")

    @pytest.mark.parametrize("has_token", [True, False])
    async def test_a_region_that_nobody_knows(self, service: str, player: str, *, has_token: bool) -> None:
        token = player if has_token else ""
        found = await examine(record_api_url=service, default_region="jp9", record_token=token)
        assert wrong(found, "DEFAULT_REGION").startswith("'jp9' is no region that is known.")

    async def test_a_region_that_the_service_alone_knows(self, service_database: Path, player: str) -> None:
        options = ServiceOptions(regions=(JP2, Region("jp9")))
        async with running(service_database, options=options) as address:
            found = await examine(record_api_url=address, record_token=player, default_region="jp9")
        fine(found, "DEFAULT_REGION")

    async def test_nobody_there(self) -> None:
        found = await examine(record_api_url=NOWHERE, record_token=SECRET)
        assert wrong(found, "RECORD_API_URL").startswith(
            "The machine that RECORD_API_URL names refuses the connection."
        )
        assert found["RECORD_TOKEN"].mark is Verdict.UNTRIED

    @pytest.mark.parametrize(
        ("status", "body", "cause"),
        [
            (200, "<html>Welcome</html>", "is no record service"),
            (401, "Who are you?", "is no record service"),
            (500, "", "does not answer (status 500)"),
            (503, "", "does not answer (status 503)"),
        ],
    )
    async def test_something_else_answers(self, status: int, body: str, cause: str) -> None:
        asked: list[str] = []
        async with answering(status, body, asked) as address:
            found = await examine(record_api_url=address, record_token=SECRET)
        assert cause in wrong(found, "RECORD_API_URL")
        assert found["RECORD_TOKEN"].mark is Verdict.UNTRIED
        assert [each for each in asked if SECRET in each] == []

    async def test_a_name_that_nobody_knows(self) -> None:
        found = await examine(record_api_url="https://records.invalid")
        assert wrong(found, "RECORD_API_URL").startswith("No address is found for the name in RECORD_API_URL")

    async def test_a_certificate_that_is_not_trusted(self, tmp_path: Path) -> None:
        async with serving_with_own_certificate(tmp_path) as address:
            found = await examine(record_api_url=address)
        assert "has a certificate that is not trusted" in wrong(found, "RECORD_API_URL")

    @pytest.mark.parametrize("end", ["/2.0", "/1.3/", "/some/path/1.0"])
    async def test_an_address_with_a_version(self, service: str, end: str) -> None:
        found = await examine(record_api_url=f"{service}{end}")
        assert "must end before the version" in wrong(found, "RECORD_API_URL")

    async def test_an_address_with_too_much_behind_it(self, service: str) -> None:
        found = await examine(record_api_url=f"{service}/api")
        assert "is no record service" in wrong(found, "RECORD_API_URL")

    async def test_a_clock_that_is_not_the_services(self, service: str) -> None:
        clock = ManualClock(SystemClock().now())
        clock.set_back(60)
        found = await examine(clock, record_api_url=service)
        assert "behind that of the record service." in wrong(found, "Clock")


class TestDiscord:
    async def test_what_keeps_it_out_of_reach_is_told_apart(self, tmp_path: Path) -> None:
        async with serving_with_own_certificate(tmp_path) as untrusted:
            said: list[str] = []
            for address in (NOWHERE, "https://discord.invalid", untrusted):
                with redirected(URL(address)):
                    said.append(wrong(await examine(discord_token=SECRET), "DISCORD_TOKEN"))
        assert [re.findall("refused|DNS|not trusted", each)[:1] for each in said] == [
            ["refused"],
            ["DNS"],
            ["not trusted"],
        ]

    async def test_a_token_that_is_refused(self) -> None:
        async with refusing_discord() as discord:
            discord.logins = [401]
            with redirected(URL(discord.url)):
                found = await examine(discord_token=SECRET)
        assert wrong(found, "DISCORD_TOKEN").startswith("Discord rejected DISCORD_TOKEN.")

    async def test_a_token_that_is_taken_by_a_clock_that_is_wrong(self) -> None:
        clock = ManualClock(SystemClock().now())
        clock.advance(3600)
        async with refusing_discord() as discord:
            with redirected(URL(discord.url)):
                found = await examine(clock, discord_token=SECRET)
        assert fine(found, "DISCORD_TOKEN") == "Discord takes it, as that of Kiroku."
        assert "ahead of that of Discord." in wrong(found, "Clock")


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeedReport]:
    folder = tmp_path_factory.mktemp("seeded")
    return folder, seed(folder / "service.db", players=1)


@pytest.fixture
def player(seeded: tuple[Path, SeedReport]) -> str:
    """Return a token that the service takes."""
    return seeded[1].players[0].token


@pytest.fixture
def service_database(seeded: tuple[Path, SeedReport], tmp_path: Path) -> Path:
    return Path(shutil.copy(seeded[0] / "service.db", tmp_path))


@pytest.fixture
async def service(service_database: Path) -> AsyncGenerator[str]:
    async with running(service_database) as address:
        yield address


@asynccontextmanager
async def answering(status: int, body: str, asked: list[str]) -> AsyncGenerator[str]:
    """Serve something that always says the same."""

    async def answer(request: web.BaseRequest) -> web.Response:
        asked.append(str(request.rel_url))
        return web.Response(status=status, text=body, content_type="text/html")

    async with serving(web.ServerRunner(web.Server(answer))) as address:
        yield address


def content_of(file: Path) -> bytes:
    return file.read_bytes()


def make_certificate(folder: Path) -> None:
    named = ["-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"]
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", *named]
    subprocess.run(
        [*made, "-keyout", folder / "key", "-out", folder / "cert"], check=True, capture_output=True
    )


@asynccontextmanager
async def serving_with_own_certificate(folder: Path) -> AsyncGenerator[str]:
    """Serve something over TLS with a certificate that nobody has signed."""
    make_certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert", folder / "key")

    async def answer(_request: web.BaseRequest) -> web.Response:
        return web.Response(text="{}")

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    try:
        yield f"https://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
