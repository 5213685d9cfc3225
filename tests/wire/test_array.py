"""bot/wire/reading.py: replies that are bare arrays."""

import orjson

from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply


def test_an_array_is_counted_indexed_and_walked_through() -> None:
    entry = {"meta": {"id": "0" * 16, "title": "A"}, "data": {}}
    songs = read_reply(SongsReply, orjson.dumps([entry, entry])).reply
    assert len(songs) == 2
    assert songs[1].meta.title == "A"
    assert [song.meta.title for song in songs] == ["A", "A"]
