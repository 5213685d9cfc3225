"""bot/wire/reading.py: replies that are bare arrays."""

from bot.wire.songs import Songs


def test_an_array_is_counted_indexed_and_walked_through() -> None:
    entry = {"meta": {"id": "0" * 16, "title": "A"}, "data": {}}
    songs = Songs.model_validate([entry, entry])
    assert len(songs) == 2
    assert songs[1].meta.title == "A"
    assert [song.meta.title for song in songs] == ["A", "A"]


def test_of_a_catalogue_no_chart_has_a_dictionary_of_its_own() -> None:
    """There are thousands: it would take most of the memory that is needed while one is read."""
    songs = Songs.model_validate([{"meta": {"id": "0" * 16, "title": "A"}, "data": {"MAS": {"level": 13}}}])
    chart = songs[0].data["MAS"]
    assert chart is not None
    assert not any(hasattr(each, "__dict__") for each in (chart, songs[0].meta))
