from bot.domain.charts import Song
from bot.domain.ids import MemberId, SongId
from bot.features.shared.library import SongChoice
from bot.ui.kit.pages import PageMenu
from bot.ui.language.text import Languages
from bot.ui.songs import song_page


async def test_songs_of_which_the_catalogue_names_no_artist_are_told_apart() -> None:
    songs = tuple(
        Song(id=SongId(name), title="Title", genre=None, artist=None, released_on=None, bpm=None, charts=())
        for name in ("one", "other")
    )
    page = song_page(Languages()["en"], SongChoice(text="title", songs=songs), MemberId(1))
    assert page.view is not None
    [menu] = page.view.children
    assert isinstance(menu, PageMenu)
    assert [(option.label, option.description) for option in menu.options] == [
        ("Title (one)", None),
        ("Title (other)", None),
    ]
