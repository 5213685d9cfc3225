"""Holds `bot/ui/kit/address.py`."""

from dataclasses import fields, replace

import pytest
from addresses import ROUTES
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import Difficulty
from bot.domain.entries import Order
from bot.domain.errors import TooOld
from bot.domain.ids import MemberId, Region, UserName
from bot.domain.numbers import Hundredths
from bot.domain.scores import SlotName
from bot.features.shared.subjects import Subject
from bot.ui.kit.address import MAX_CUSTOM_ID, Address, ListAddress, SubjectAddress, decode, encode, route
from bot.ui.kit.routes import ScoresAddress

ASKER = MemberId(123_456_789_012_345_678)
IDS = st.integers(1, 2**63 - 1).map(MemberId)
SUBJECTS = st.one_of(
    st.just(Subject()),
    st.builds(Subject, member=IDS, shares_server=st.booleans()),
    st.builds(Subject, player=st.text(min_size=1).map(UserName)),
)


for kind in (Difficulty, Region):
    st.register_type_strategy(kind, st.text(min_size=1))  # pyright: ignore[reportArgumentType]  # takes a NewType
st.register_type_strategy(Subject, SUBJECTS)
st.register_type_strategy(MemberId, IDS)  # pyright: ignore[reportArgumentType]  # as above


@route("tried")
class TriedAddress(ListAddress, SubjectAddress):
    slot: SlotName | None = None
    target: Hundredths | None = None
    text: str = ""
    whole: bool = False


@pytest.mark.heavy
@pytest.mark.parametrize("address", [*ROUTES, TriedAddress], ids=lambda address: address.KIND)
@given(data=st.data())
def test_every_address_comes_back_as_it_was(address: type[Address], data: st.DataObject) -> None:
    inferred = {each.name: ... for each in fields(address)}
    made = data.draw(st.builds(address, **(inferred | {"asker": IDS})))
    assert decode(encode(made)) == made


@given(text=st.text(), mark=st.text(max_size=3))
def test_whatever_stands_in_an_id_is_an_address_or_an_old_one(text: str, mark: str) -> None:
    written = encode(TriedAddress(asker=ASKER, subject=Subject(), text="it"))
    for each in (
        text,
        f"tried:{mark}:{text}",
        written.replace("it", text),
        f"{written}{text}",
        written[: len(text)],
    ):
        try:
            address = decode(each)
        except TooOld:
            continue
        assert encode(address) == each


def test_an_id_from_before_a_change_of_the_fields_is_old() -> None:
    @route("moved")
    class Before(Address):
        text: str
        number: int = 0

    before = encode(Before(asker=ASKER, text="7"))

    @route("moved")
    class After(Address):
        wanted: str
        number: int = 0

    now = After(asker=ASKER, wanted="7")
    assert decode(encode(now)) == now
    assert len(encode(now)) == len(before)
    with pytest.raises(TooOld):
        decode(before)


def test_an_id_leaves_room_for_thirty_characters_of_a_filter() -> None:
    most = MemberId(2**63 - 1)
    subject = Subject(member=most, shares_server=True)

    def address(wanted: str) -> ScoresAddress:
        return ScoresAddress(asker=most, subject=subject, order=Order.CONSTANT_DOWN, wanted=wanted)

    assert address("x" * 30).fits
    assert len(f"aside:{encode(address('x' * 30))}") <= MAX_CUSTOM_ID
    assert not address("x" * 60).fits


def test_an_address_is_written_once_and_anew_where_it_is_another() -> None:
    address = ScoresAddress(asker=ASKER, subject=Subject(), order=Order.CONSTANT_DOWN, wanted="x")
    assert encode(address) is encode(address)
    assert address == replace(address)
    assert encode(replace(address, wanted="y")) == encode(address)[:-1] + "y"


def test_a_page_number_that_grows_is_counted_in() -> None:
    longest = next(
        text
        for size in range(100, 0, -1)
        if (text := TriedAddress(asker=ASKER, subject=Subject(), text="x" * size)).fits
    )
    assert len(f"share:{encode(longest)}") < MAX_CUSTOM_ID


def test_a_type_that_no_id_can_carry_is_refused_at_once() -> None:
    with pytest.raises(TypeError):

        @route("never")
        class _Never(Address):
            places: tuple[int, ...]
