"""bot/chat/app_emoji.py and bot/demo/emoji.py: the bot's icons on a Discord that takes emoji as Discord does, or does not."""

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest
from logbook import LogBook

from bot.chat import app_emoji as icons
from bot.chat.app_emoji import keep_icons
from bot.demo import emoji
from bot.demo.gateway import LocalDiscord, local_discord
from bot.demo.simulator import SimulatedCall, Simulator
from bot.store import ClusterMember, Store, Vault, new_key
from bot.ui.kit.icon_shapes import Icon
from bot.ui.kit.icons import ICONS, emoji_names
from bot.ui.kit.renderer import PictureRenderer

OLD = "SSS_k00000000"
FOREIGN = "party_parrot"
PNG = b"\x89PNG\r\n\x1a\n"


class Person:
    """One process of the bot, which has logged in."""

    def __init__(self, client: discord.Client, renderer: PictureRenderer) -> None:
        self.client = client
        self.renderer = renderer
        self.shown: dict[str, str] = {}

    async def start(self, member: ClusterMember | None = None) -> None:
        self.shown.clear()
        await keep_icons(self.client, member, self.renderer, self.shown)


def drawn(icon: Icon) -> bytes:
    return PNG + icon.name.encode()


def too_large(_icon: Icon) -> bytes:
    return PNG + bytes(emoji.MAX_EMOJI_BYTES)


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    async with local_discord() as local:
        yield local


@pytest.fixture
async def person(local: LocalDiscord, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Person]:  # noqa: ARG001
    monkeypatch.setattr(icons, "draw_icon", drawn)
    renderer = PictureRenderer()
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login("simulated")
        yield Person(client, renderer)
    await renderer.close()


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is asked of Discord about emoji beside what there are, as it is asked."""
    calls: list[str] = []
    answer = Simulator.answer

    def noted(simulator: Simulator, call: SimulatedCall) -> tuple[int, object]:
        if "/emojis" in call.path and call.method != "GET":
            calls.append(call.method)
        return answer(simulator, call)

    monkeypatch.setattr(Simulator, "answer", noted)
    return calls


def names(local: LocalDiscord) -> set[str]:
    return {each.name for each in local.simulator.backend.application_emojis.values()}


async def test_what_is_missing_is_uploaded_once(
    local: LocalDiscord, person: Person, uploads: list[str]
) -> None:
    await person.start()
    assert names(local) == set(emoji_names())
    assert uploads == ["POST"] * len(ICONS)
    first = dict(person.shown)
    assert first.keys() == {icon.name for icon in ICONS}
    await person.start()
    assert len(uploads) == len(ICONS)
    assert person.shown == first


async def test_the_page_of_the_demo_has_their_pictures(local: LocalDiscord, person: Person) -> None:
    await person.start()
    number = person.shown["MAS"].rpartition(":")[2].removesuffix(">")
    assert local.simulator.backend.cdn.get(f"https://cdn.simcord.invalid/emojis/{number}.png") == PNG + b"MAS"


async def test_what_another_version_left_goes_once_the_new_ones_stand(
    local: LocalDiscord, person: Person, uploads: list[str]
) -> None:
    for name in (OLD, FOREIGN):
        local.simulator.backend.create_application_emoji(name)
    await person.start()
    assert names(local) == {*emoji_names(), FOREIGN}
    assert uploads == ["POST"] * len(ICONS) + ["DELETE"]
    local.simulator.backend.create_application_emoji(OLD)  # as where whoever uploaded them was killed
    await person.start()
    assert names(local) == {*emoji_names(), FOREIGN}


async def test_two_processes_upload_each_once(
    local: LocalDiscord, person: Person, uploads: list[str], url: str
) -> None:
    other = Person(person.client, person.renderer)
    vault = Vault([new_key()])
    async with (
        Store(url, vault) as one,
        one.member() as first,
        Store(url, vault) as two,
        two.member() as second,
    ):
        await asyncio.gather(person.start(first), other.start(second))
        assert await second.acquire(f"icons of {person.client.application_id}") is not None
    assert uploads == ["POST"] * len(ICONS)
    assert person.shown == other.shown
    assert names(local) == set(emoji_names())


async def test_a_limit_is_waited_for(
    local: LocalDiscord, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, times = Simulator.answer, iter(range(2))

    def limited(simulator: Simulator, call: SimulatedCall) -> tuple[int, object]:
        if call.method == "POST" and next(times, None) is not None:
            return 429, {"message": "You are being rate limited.", "retry_after": 0.01, "global": False}
        return answer(simulator, call)

    monkeypatch.setattr(Simulator, "answer", limited)
    await person.start()
    assert names(local) == set(emoji_names())


class TestTrouble:
    """Words stand where an icon is missing; the log says so once, and nothing is tried again."""

    @pytest.mark.parametrize("room", [0, 5])
    async def test_no_quota_left(
        self, local: LocalDiscord, person: Person, uploads: list[str], log: LogBook, room: int
    ) -> None:
        local.simulator.backend.create_application_emoji(OLD)
        for number in range(emoji.MAX_EMOJI - 1 - room):
            local.simulator.backend.create_application_emoji(f"mine_{number}")
        await person.start()
        assert len(person.shown) == room
        assert len(uploads) == room + 1
        assert OLD in names(local)
        assert log.text.count("words replace") == 1
        assert "code 30008" in log.text

    async def test_no_permission(self, person: Person, log: LogBook, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []

        def refuse(_simulator: Simulator, call: SimulatedCall) -> tuple[int, object]:
            asked.append(call.path)
            return 403, {"code": 50001, "message": "Missing Access"}

        monkeypatch.setattr(Simulator, "answer", refuse)
        await person.start()
        assert not person.shown
        assert len(asked) == 1
        assert log.text.count("words replace") == 1

    async def test_an_upload_is_refused(
        self, person: Person, uploads: list[str], log: LogBook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(icons, "draw_icon", too_large)
        await person.start()
        assert uploads == ["POST"]
        assert "code 50035" in log.text

    async def test_a_picture_fails(
        self, local: LocalDiscord, person: Person, uploads: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        local.simulator.backend.create_application_emoji(OLD)

        def draw_icon(_icon: object) -> bytes:
            raise OSError

        monkeypatch.setattr(icons, "draw_icon", draw_icon)
        await person.start()
        assert not uploads
        assert OLD in names(local)

    async def test_discord_is_away(self, local: LocalDiscord, person: Person, log: LogBook) -> None:
        local.server.breaks = lambda call: "/emojis" in call.path
        await person.start()
        assert not person.shown
        assert log.text.count("words replace") == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"name": "a", "image": "data:image/png;base64,AA=="}, "2 to 32"),
        ({"name": "a-b", "image": "data:image/png;base64,AA=="}, "2 to 32"),
        ({"name": "a" * 33, "image": "data:image/png;base64,AA=="}, "2 to 32"),
        ({"name": "taken", "image": "data:image/png;base64,AA=="}, "taken"),
        ({"name": "new", "image": "AA=="}, "invalid image"),
        ({"name": "new", "image": "data:image/png;base64,!"}, "invalid image"),
        (None, "2 to 32"),
    ],
)
def test_what_discord_refuses(body: object, said: str) -> None:
    with pytest.raises(emoji.EmojiRefused, match=said):
        emoji.picture_of(body, ["taken"])
