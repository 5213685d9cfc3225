"""Pictures beside the answers: the card of `/best`, the plot of `/rating`."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from io import BytesIO

import pytest
from harness import Channel, Person
from PIL import Image
from world import World

from bot.domain.charts import MASTER
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, MemberId, SongId
from bot.domain.members import Theme, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.scores import SlotName
from bot.features.best import BestReport
from bot.features.shared.subjects import Subject
from bot.ui.best_card import best_card
from bot.ui.cards.best import BestCard
from bot.ui.cards.tiles import Tile
from bot.ui.kit.palette import PALETTES
from bot.ui.kit.renderer import PictureRenderer
from bot.ui.preferences import THEMES

pytestmark = pytest.mark.heavy

DAY = timedelta(days=1).total_seconds()


async def best_report(world: World, person: Person) -> BestReport:
    return await world.bot.features.best.report(MemberId(person.id), Subject(), SlotName.BEST)


def card_of(world: World, report: BestReport) -> BestCard:
    return best_card(world.bot.languages["en"], report)


def before_of(report: BestReport) -> Snapshot | None:
    return report.past and report.past.before


def tiles_of(card: BestCard) -> list[Tile]:
    return [tile for section in card.sections for tile in section.tiles]


async def remember(world: World, person: Person, *, days_ago: int, rating: int) -> None:
    """Put a snapshot of an earlier day into the bot's database."""
    then = world.clock.now() - timedelta(days=days_ago)
    snapshot = Snapshot(
        member=MemberId(person.id),
        region=JP2,
        day=then.date(),
        taken_at=then,
        rating=Hundredths(rating),
        scores={(SongId("0" * 16), MASTER): 1},
    )
    store = world.bot.features.accounts._store
    link = (await store.members.get(snapshot.member)).link
    assert link is not None
    await store.snapshots.save(snapshot, account=link.user_id)


async def test_best_comes_with_a_card_that_says_what_it_shows(world: World) -> None:
    alice, hanako = world.discord.person("Alice"), world.discord.person("Hanako", locale="ja")
    await world.link(alice, "DrBeat")
    await world.link(hanako, "DrBeat")
    (card,) = (await alice.slash(world.discord.channel, "best")).files
    assert card.filename == "kiroku.png"
    report = await best_report(world, alice)
    t = world.bot.languages["en"]
    assert f"rating {t.hundredths(report.player.rating)} PLATINUM" in str(card.description)
    third = report.best.records[2]
    told = f"{third.title} {third.difficulty} {t.hundredths(third.rating)}, "
    assert told in str(card.description)
    reply = await hanako.slash(world.discord.channel, "best")
    assert "ベスト枠 30曲: 平均" in str(reply.files[0].description)


async def test_a_picture_is_drawn_anew_only_where_it_would_look_different(world: World) -> None:
    alice = world.discord.person("Alice")
    channel: Channel = world.discord.channel
    await world.link(alice, "DrBeat")
    await remember(world, alice, days_ago=3, rating=1500)
    draw, drawn = world.bot.renderer.draw, list[str]()

    def count(function: Callable[..., bytes], /, *args: object, **values: object) -> Awaitable[bytes | None]:
        drawn.append(function.__name__)
        return draw(function, *args, **values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.bot.renderer, "draw", count)
        for command in ("best", "rating", "overpower") * 2:
            assert (await alice.slash(channel, command)).files
        once = ["draw_best", "draw_rating", "bar_plot"]
        assert drawn == once
        await alice.slash(channel, "settings", timezone="Europe/Paris")  # bars tell no time
        for command in ("best", "rating", "overpower"):
            assert (await alice.slash(channel, command)).files
        assert drawn == [*once, "draw_best", "draw_rating"]


def background(png: bytes) -> int:
    image = Image.open(BytesIO(png)).convert("RGB")
    pixel = image.getpixel((0, 0))
    assert isinstance(pixel, tuple)
    red, green, blue = (int(value) for value in pixel)
    return red << 16 | green << 8 | blue


@pytest.mark.parametrize("theme", list(Theme))
async def test_every_picture_is_drawn_in_its_readers_theme(world: World, theme: Theme) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await remember(world, alice, days_ago=3, rating=1500)
    shown = await alice.slash(world.discord.channel, "settings")
    await alice.choose(shown, "Pictures", f"{THEMES[theme]} · Wide")
    best = await alice.slash(world.discord.channel, "best")
    with closing(sqlite3.connect(world.service_database)) as service:
        ((title,),) = service.execute(
            "SELECT title FROM records JOIN charts USING (chart_id) JOIN songs USING (song_id)"
            " WHERE difficulty = 'MAS' GROUP BY chart_id ORDER BY count(*) DESC, chart_id LIMIT 1"
        )
    for reply in (
        best,
        await alice.slash(world.discord.channel, "rating"),
        await alice.slash(world.discord.channel, "overpower"),
        await alice.slash(world.discord.channel, "stats", song=title),
    ):
        (picture,) = reply.files
        assert background(world.discord.content(picture)) == PALETTES[theme].background


async def test_who_has_no_records_gets_no_card(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    reply = await alice.slash(world.discord.channel, "best")
    assert reply.files == ()
    assert reply.embed.image.url is None


async def test_no_recent_plays_are_said_and_not_drawn(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    settings = await alice.slash(world.discord.channel, "settings")
    await alice.choose(settings, "Game version", "(jp)")
    (before,) = (await alice.slash(world.discord.channel, "best")).files
    with sqlite3.connect(world.service_database) as service:
        service.execute("DELETE FROM recents")
    service.close()
    world.clock.advance(600)
    (after,) = (await alice.slash(world.discord.channel, "best")).files
    assert "Recent: average" in str(before.description)
    assert "Recent: No recent plays." in str(after.description)
    recent = await alice.slash(world.discord.channel, "best", slot="recent")
    assert str(recent.embed.description) == "No recent plays."


async def test_a_card_that_cannot_be_drawn_costs_nothing(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    world.bot.renderer = PictureRenderer(timeout=0)
    reply = await alice.slash(world.discord.channel, "best")
    assert "#5 " in reply.everything
    assert reply.files == ()
    await world.bot.renderer.close()


async def test_arrows_show_what_changed_since_an_earlier_day(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    assert before_of(await best_report(world, alice)) is None
    assert before_of(await best_report(world, alice)) is None
    world.clock.advance(DAY)
    report = await best_report(world, alice)
    before = before_of(report)
    assert before is not None
    assert before.rating == report.player.rating
    await remember(world, alice, days_ago=0, rating=1500)
    world.clock.advance(DAY)
    card = card_of(world, await best_report(world, alice))
    assert {tile.change for tile in tiles_of(card)} == {None}  # of another slot nobody knows what came in
    assert card.hero.change is not None
    assert card.hero.since.startswith("since ")


async def test_what_has_not_changed_has_no_arrow_in_any_slot(world: World) -> None:
    """Recent plays are seldom as good as the records of their charts, which may stand in the best slot."""
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await best_report(world, alice)
    world.clock.advance(DAY)
    report = await best_report(world, alice)
    assert before_of(report) is not None
    records = {record.song_id: record.score for record in report.best.records}
    assert any(record.score < records.get(record.song_id, 0) for record in report.recent.records)
    card = card_of(world, report)
    assert {tile.change for tile in tiles_of(card)} == {None}


async def test_a_song_has_one_face_in_every_slot(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "search", filter="level:14")  # the catalogue is in memory now
    card = card_of(world, await best_report(world, alice))
    faces = {(tile.title, tile.face) for tile in tiles_of(card)}
    assert len(faces) < len(tiles_of(card))
    assert len(faces) == len({title for title, _face in faces})


async def test_the_history_of_somebody_else_is_not_shown(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.ANYONE)
    await bob.slash(world.discord.channel, "rating")
    reply = await alice.slash(world.discord.channel, "rating", member=bob)
    assert reply.files == ()


async def test_rating_draws_a_plot_once_there_is_history(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    assert (await alice.slash(world.discord.channel, "rating")).files == ()
    await remember(world, alice, days_ago=3, rating=1500)
    (plot,) = (await alice.slash(world.discord.channel, "rating")).files
    assert "15.00" in str(plot.description)


@pytest.mark.parametrize("name", ["Show rating", "Show best"])
async def test_the_menu_of_a_person_asks_about_them(world: World, name: str) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    channel: Channel = world.discord.channel
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.ANYONE)
    assert "Dr" in (await alice.context_menu(channel, name, bob)).everything
    carol = world.discord.person("Carol")
    refused = (await alice.context_menu(channel, name, carol)).posts[-1]
    assert refused.is_private
    assert "has not linked" in refused.text
