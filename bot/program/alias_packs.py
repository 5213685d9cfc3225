"""`kiroku aliases`: what a pack of other names for songs does, before it is put where ALIAS_FILE says."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from bot.base.config import CannotStart, read_settings
from bot.domain.charts import Catalogue
from bot.domain.errors import UnreadableReply
from bot.domain.folding import fold
from bot.domain.ids import JP2
from bot.features.shared.alias_packs import AliasPack, list_files, read_pack, read_packs
from bot.store import examine_wanted
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply


@click.group("aliases")
def aliases_command() -> None:
    """Look after packs of other names for songs."""


@aliases_command.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option(
    "--catalogue",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A saved reply of music/showall; without it nobody knows which songs there are.",
)
def check(files: tuple[Path, ...], catalogue: Path | None) -> None:
    """Say which lines of FILE, or of a folder's files, do something, which do not, and which collide.

    Ends with 1 where a line does nothing, or where there is no line.
    """
    if not list_files(files):
        message = f"There is no file that ends in .txt in {', '.join(map(str, files))}."
        raise click.ClickException(message)
    pack = read_pack({str(file): _text_of(file) for file in list_files(files)})
    songs = None if catalogue is None else _catalogue_of(_read(catalogue))
    idle = list(_find_idle(pack, songs))
    for line in idle:
        click.echo(line)
    fitting = len(pack.lines if songs is None else pack.resolve(songs)[0])
    told = "; name a --catalogue to see which fit a song" if songs is None else ""
    click.echo(
        f"Names{' that fit a song' if songs else ''}: {fitting}. Lines that do nothing: {len(idle)}{told}."
    )
    if not fitting and not idle:
        message = 'No line says "alias = title": there is nothing to check.'
        raise click.ClickException(message)
    sys.exit(1 if idle else 0)


@aliases_command.command("suggest")
def suggest() -> None:
    """Say which names people type often and then choose the same song for, as lines for a pack.

    Those that ALIAS_FILE has already are left out, and who typed them is not known.
    """
    try:
        settings = read_settings()
        known = {line.folded for line in read_packs(settings.alias_file).lines}
        wanted = asyncio.run(examine_wanted(settings.database_url))
    except CannotStart as error:
        raise click.ClickException(str(error)) from None
    new = [(line, times) for line, times in wanted if fold(line.partition("=")[0]) not in known]
    for line, times in new:
        click.echo(f"# chosen {times} times\n{line}")
    if not new:  # not among the lines, which go into a file
        click.echo("No name has been typed often enough yet that ALIAS_FILE does not have.", err=True)


def _find_idle(pack: AliasPack, catalogue: Catalogue | None) -> Iterator[str]:
    """Yield a sentence for each line that does nothing."""
    for place in pack.unread:
        yield f'{place} is no "alias = title".'
    for line in pack.replaced:
        yield f"{line.place} is replaced: a later line gives the name {line.name} to another song."
    if catalogue is None:
        return
    for line in sorted(pack.resolve(catalogue)[1]):
        yield f"{line.place} matches no song, or several: {line.song}"
    for line, song in pack.find_hidden(catalogue):
        yield f"{line.place} gives to {line.song} the name {line.name}, which is the title of {song.title}."


def _text_of(file: Path) -> str:
    try:
        return _read(file).decode("utf-8-sig")
    except UnicodeError:
        message = f"The file {file} is no text in UTF-8."
        raise click.ClickException(message) from None


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        message = f"The file {file} cannot be read: {error.strerror}."
        raise click.ClickException(message) from None


def _catalogue_of(body: bytes) -> Catalogue:
    try:
        return read_reply(SongsReply, body).reply.to_domain(JP2)
    except UnreadableReply:
        message = "The catalogue is no reply of music/showall."
        raise click.ClickException(message) from None
