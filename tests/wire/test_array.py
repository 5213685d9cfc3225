"""bot/wire/reading.py: replies that are bare arrays."""

from bot.wire.songs import Songs


def test_an_array_is_counted_indexed_and_walked_through() -> None:
    entry = {"meta": {"id": "0" * 16, "title": "A"}, "data": {}}
    songs = Songs.model_validate([entry, entry])
    assert len(songs) == 2
    assert songs[1].meta.title == "A"
    assert [song.meta.title for song in songs] == ["A", "A"]
