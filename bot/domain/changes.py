"""What a refresh of the catalogue changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.domain.charts import Catalogue, Chart, Difficulty, Song, difficulty_order


@dataclass(frozen=True, slots=True)
class ChartChange:
    """A chart that is there in both catalogues, with another level or constant."""

    song: Song
    before: Chart
    after: Chart

    @property
    def is_discovery(self) -> bool:
        """Whether the only change is that the constant became known."""
        return self.before.level == self.after.level and self.before.constant is None


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueChanges:
    """One catalogue beside the one before."""

    added: tuple[Song, ...]
    removed: tuple[Song, ...]
    new_charts: tuple[tuple[Song, Chart], ...]
    """Charts that were added to songs that were there before."""
    changed: tuple[ChartChange, ...]

    @property
    def discovered(self) -> tuple[ChartChange, ...]:
        """The changed charts whose only change is that the constant became known."""
        return tuple(each for each in self.changed if each.is_discovery)

    @property
    def by_difficulty(self) -> Mapping[Difficulty, tuple[ChartChange, ...]]:
        """The others, the hardest difficulties first."""
        moved = [each for each in self.changed if not each.is_discovery]
        found = {each.after.difficulty for each in moved}
        return {
            code: tuple(each for each in moved if each.after.difficulty == code)
            for code in sorted(found, key=difficulty_order, reverse=True)
        }


def compare_catalogues(before: Catalogue, after: Catalogue) -> CatalogueChanges:
    """Return the changes in `after`, newest songs first; songs of one day in catalogue order."""
    new_charts: list[tuple[Song, Chart]] = []
    changed: list[ChartChange] = []
    for song in _newest_first(after.songs):
        old = before.by_id.get(song.id)
        if old is None:
            continue
        old_charts = {chart.difficulty: chart for chart in old.charts}
        for chart in song.charts:
            known = old_charts.get(chart.difficulty)
            if known is None:
                new_charts.append((song, chart))
            elif (known.level, known.constant) != (chart.level, chart.constant):
                changed.append(ChartChange(song, known, chart))
    return CatalogueChanges(
        added=tuple(song for song in _newest_first(after.songs) if song.id not in before.by_id),
        removed=tuple(song for song in _newest_first(before.songs) if song.id not in after.by_id),
        new_charts=tuple(new_charts),
        changed=tuple(changed),
    )


def _newest_first(songs: Iterable[Song]) -> list[Song]:
    """Return the songs by the day they were added, those of unknown day last."""
    return sorted(songs, key=lambda song: -song.released_on.toordinal() if song.released_on else 0)
