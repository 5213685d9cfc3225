import io
import logging

from bot.logs import SecretFree

TOKEN = "0123456789abcdef" * 4


def logged(message: str, *values: object) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(SecretFree("%(message)s"))
    logger = logging.Logger("test")  # noqa: LOG001 - one that no other test sees
    logger.addHandler(handler)
    logger.warning(message, *values)
    return stream.getvalue()


def test_what_looks_like_a_token_does_not_reach_the_log() -> None:
    assert (
        logged("GET /2.0/x.json?region=jp2&token=abc&n=1")
        == "GET /2.0/x.json?region=jp2&token=[removed]&n=1\n"
    )
    assert TOKEN not in logged("failed for %s", TOKEN)


def test_everything_else_does() -> None:
    assert logged("server %s", 12) == "server 12\n"
