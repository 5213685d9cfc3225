import pytest
from world import World

pytestmark = pytest.mark.shared


async def test_a_managers_alias_is_known_in_its_server_only(world: World) -> None:
    manager = world.discord.person("Mona", manager=True)
    alice = world.discord.person("Alice")
    added = await manager.slash(world.discord.channel, "alias add", alias="そらのやつ", song="AETHER")
    assert added.is_private
    (first, *_) = await alice.autocomplete(world.discord.channel, "song", title="ソラノヤツ")
    assert str(first["name"]).startswith("AETHER")
    reply = await alice.slash(world.discord.channel, "song", title="そらのやつ")
    assert reply.embed.title == "AETHER"
    elsewhere = world.discord.server("Elsewhere")
    other = elsewhere.channel("general")
    alice.join(elsewhere)
    assert await alice.autocomplete(other, "song", title="そらのやつ") == []
    listed = await alice.slash(world.discord.channel, "alias list")
    assert "そらのやつ → AETHER" in listed.everything
    assert "None yet" in (await alice.slash(other, "alias list")).everything
    offered = await manager.autocomplete(world.discord.channel, "alias remove", alias="そら")
    assert [choice["value"] for choice in offered] == ["そらのやつ"]
    await manager.slash(world.discord.channel, "alias remove", alias="そらのやつ")
    assert await alice.autocomplete(world.discord.channel, "song", title="そらのやつ") == []


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("song", {"title": "そらのやつ"}),
        ("score", {"song": "そらのやつ"}),
        ("stats", {"song": "そらのやつ"}),
        ("whatif", {"song": "そらのやつ", "difficulty": "MAS", "score": 1_000_000}),
        ("scores", {"filter": "そらのやつ played:no"}),
        ("search", {"filter": "そらのやつ"}),
    ],
)
async def test_an_alias_may_be_typed_to_the_end(
    world: World, command: str, typed: dict[str, str | int]
) -> None:
    manager = world.discord.person("Mona", manager=True)
    await world.link(manager, "yuzu_new")
    await manager.slash(world.discord.channel, "alias add", alias="そらのやつ", song="AETHER")
    reply = (await manager.slash(world.discord.channel, command, **typed)).posts[-1]
    assert "AETHER" in reply.everything
    assert reply.embeds


async def test_the_title_of_another_song_is_no_alias(world: World) -> None:
    """It finds that one."""
    mona = world.discord.person("Mona", manager=True)
    await world.link(mona, "DrBeat")
    for command in ("alias add", "alias suggest"):
        refused = await mona.slash(world.discord.channel, command, alias="aether", song="Iron Rondo")
        assert "**AETHER** is the title of another song" in refused.text, command
    assert "None yet" in (await mona.slash(world.discord.channel, "alias list")).everything
    own = await mona.slash(world.discord.channel, "alias add", alias="ＡＥＴＨＥＲ！", song="AETHER")
    assert own.embed.title == "Alias added"


async def test_an_alias_filters_what_is_compared(world: World) -> None:
    manager = world.discord.person("Mona", manager=True)
    await world.link(manager, "DrBeat")
    both = await manager.slash(world.discord.channel, "compare", player="minamo_plays")
    _difficulty, first = (await manager.click(both, "List")).charts[0]
    await manager.slash(world.discord.channel, "alias add", alias="そらのやつ", song=first)
    reply = await manager.slash(world.discord.channel, "compare", player="minamo_plays", filter="そらのやつ")
    assert first in (await manager.click(reply, "List")).everything.replace("\\", "")


async def test_only_managers_change_aliases(world: World) -> None:
    alice = world.discord.person("Alice")
    refused = await alice.slash(world.discord.channel, "alias add", alias="x", song="AETHER")
    assert refused.is_private
    assert "manage this server" in refused.text


async def test_what_cannot_be_an_alias(world: World) -> None:
    manager = world.discord.person("Mona", manager=True)
    symbols = await manager.slash(world.discord.channel, "alias add", alias="!!", song="AETHER")
    assert "`alias` is not valid" in symbols.text
    unknown = await manager.slash(world.discord.channel, "alias remove", alias="nothing")
    assert "nothing" in unknown.text


@pytest.mark.own
async def test_the_operators_aliases_are_known_everywhere(world: World) -> None:
    file = world.database.parent / "aliases.txt"
    file.write_text(
        "# names\nthe last of three = AETHER\nbroken line\nnobody = no such song\n", encoding="utf-8"
    )
    world.settings = world.settings.model_copy(update={"alias_file": (file,)})
    await world.start_bot()
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "song", title="Last of Three!")
    assert reply.everything
    (first, *_) = await alice.autocomplete(world.discord.channel, "song", title="the last of three")
    assert str(first["name"]).startswith("AETHER")
    said = 'ALIAS_FILE: line 3 is no "alias = title"; line 4 fits no song or several (no such song)'
    assert world.log.text.count(said) == 1
    await alice.slash(world.discord.channel, "song", title="AETHER")
    assert world.log.text.count("ALIAS_FILE") == 1


async def test_an_alias_that_folds_to_more_than_is_kept_is_refused(world: World) -> None:
    """One sign of Arabic script folds to eighteen letters."""
    manager = world.discord.person("Mona", manager=True)
    refused = await manager.slash(world.discord.channel, "alias add", alias="\ufdfa" * 60, song="AETHER")
    assert "Make it shorter" in refused.everything
    assert "None yet" in (await manager.slash(world.discord.channel, "alias list")).everything


@pytest.mark.parametrize("typed", ["a\0b", "a\x1bb"])
async def test_what_nobody_sees_is_refused_in_a_sentence(world: World, typed: str) -> None:
    """PostgreSQL takes no NUL."""
    manager = world.discord.person("Mona", manager=True)
    await world.link(manager, "yuzu_new")
    channel = world.discord.channel
    for command, options in {
        "alias add": {"alias": typed, "song": "AETHER"},
        "alias remove": {"alias": typed},
        "goal add": {"goal": typed},
        "goal copy": {"code": typed},
        "search": {"filter": typed},
        "song": {"title": typed},
        "rating": {"player": typed},
        "settings": {"timezone": typed},
    }.items():
        assert "invisible character" in (await manager.slash(channel, command, **options)).text, command
    assert await manager.autocomplete(channel, "song", title=typed) == []
    form = await manager.slash(channel, "link")
    assert form.form is not None
    refused = await manager.submit(form, {form.form.inputs[0].custom_id: typed})
    assert "invisible character" in refused.text
    assert "fault" not in world.log.text
