"""Whether members' ratings are explained: remembered, counted, and told to whoever hosts the bot."""

from dailies import settled
from scraping import free_port, scraping
from world import World

from bot.database.tables import RATING_CHECKS
from bot.domain.game_versions import VersionTable
from bot.program.doctor import Doctor

PLAYERS = ("minamo_plays", "DrBeat", "mio")


async def look(world: World) -> None:
    """Have three members look at their sessions."""
    for player in PLAYERS:
        person = world.discord.person(player)
        await world.link(person, player)
        await person.slash(world.discord.channel, "session")
    await settled(world)


def only_first(world: World) -> None:
    """Let the bot know the first version alone, as if nobody had told it of the others."""
    ratings = world.bot.features.game_ratings
    ratings.versions = VersionTable(ratings.versions.versions[:1])


async def test_where_most_ratings_differ_in_one_direction_log_metric_and_doctor_say_so(
    world: World,
) -> None:
    port = free_port()
    world.settings = world.settings.model_copy(update={"metrics_port": port})
    await world.start_bot()
    only_first(world)
    await look(world)
    async with scraping(port) as scraper:
        assert (await scraper.scrape()).get("kiroku_game_versions_outdated") == 0
        await world.bot.features.game_ratings.take_census()
        samples = await scraper.scrape()
    assert samples.get("kiroku_game_versions_outdated") == 1
    assert samples.get("kiroku_ratings", what="below") == 3
    said = "The ratings of 3 of 3 members seen in a week lie below what their records come to"
    assert world.log.text.count(said) == 1
    await world.bot.features.game_ratings.take_census()
    assert world.log.text.count(said) == 1
    found = await Doctor(world.settings, world.clock).examine()
    (line,) = (str(each) for each in found if each.what == "GAME_VERSIONS")
    assert line.startswith(f"✗ GAME_VERSIONS: {said}")


async def test_ratings_that_are_explained_are_counted_as_such(world: World) -> None:
    await look(world)
    await world.bot.features.game_ratings.take_census()
    assert world.bot.features.game_ratings.census == (3, 0, 0)
    assert "what their records come to" not in world.log.text
    found = await Doctor(world.settings, world.clock).examine()
    (line,) = (str(each) for each in found if each.what == "GAME_VERSIONS")
    assert line.startswith("✓ GAME_VERSIONS: ")


async def test_who_plays_an_older_version_is_remembered_over_a_restart(world: World) -> None:
    """An edition abroad lags: what explained the rating once is taken, until a later version does."""
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    versions = world.bot.features.game_ratings.versions.versions
    world.bot.features.game_ratings.versions = VersionTable(versions[:3])
    await world.change_database("UPDATE links SET game_version = 'VERSE'")
    await world.start_bot()
    told = await alice.slash(world.discord.channel, "rating")
    await settled(world)
    # The newest explains what the service says: so it is the one that is remembered.
    assert "Rules of Mate" in told.everything
    (kept,) = await world.rows(RATING_CHECKS)
    assert (kept["version"], kept["difference"]) == ("Mate", 0)
    await world.change_database("UPDATE links SET game_version = NULL")
    await world.change_database("UPDATE rating_checks SET version = 'X-VERSE'")
    await world.start_bot()
    ratings = world.bot.features.game_ratings
    ratings.versions = VersionTable(ratings.versions.versions[:3])
    told = await alice.slash(world.discord.channel, "rating")
    assert "Rules of X-VERSE: " in told.everything
