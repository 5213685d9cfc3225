"""The server of the demo: its people, their linked accounts, and the first message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord
from simcord import ChannelHandle, MemberActor

from bot.demo.simulator import Simulator
from bot.domain.ids import GuildId, MemberId

ENGLISH: Final = "en-US"
JAPANESE: Final = "ja"
KOREAN: Final = "ko"
TAIWANESE: Final = "zh-TW"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A person in the server of the demo."""

    name: str
    locale: str
    player: str
    """The person's account on the record service, among the invented players."""
    is_linked: bool = True
    is_manager: bool = False


RESIDENTS: Final = (
    Resident(name="Alice", locale=ENGLISH, player="minamo_plays", is_manager=True),
    Resident(name="さくら", locale=JAPANESE, player="haruka88", is_manager=True),
    Resident(name="Ken", locale=ENGLISH, player="ren_STAR"),
    Resident(name="みお", locale=JAPANESE, player="mio"),
    Resident(name="カエデ", locale=JAPANESE, player="kaede_0401"),
    Resident(name="민지", locale=KOREAN, player="minji_02", is_manager=True),
    Resident(name="小宇", locale=TAIWANESE, player="xiaoyu", is_manager=True),
    Resident(name="Chris", locale=ENGLISH, player="DrBeat", is_linked=False, is_manager=True),
)
"""The people of the server; カエデ is protected and no friend of Alice, so that a refusal can be seen too."""
OPERATOR: Final = "yuzu_new"
"""The player whose token reads the song catalogue for those who have not linked."""

WELCOME: Final = """\
## Welcome · ようこそ
This is a small Discord on your own machine, with Kiroku in it. Click something in the list beside, or type `/` below. \
At the top you choose whose eyes you look through: さくら reads Japanese, 민지 Korean, 小宇 Traditional Chinese; Chris has not linked an account yet, and the \
terminal shows a token for `/link`. `Next day` lets everybody play; right-click a name or a message for more.

これはあなたのパソコンの中だけで動く Discord です。横の一覧から選ぶか、下の欄に `/` と入力してください。\
上の一覧で誰として見るかを選べます。「さくら」は日本語、「민지」は韓国語、「小宇」は繁体字中国語で返事を受け取り、Chris はまだ連携していません\
（`/link` に使うトークンは端末に表示されています）。「翌日へ」でみんながプレイし、名前やメッセージを右クリックするとメニューが開きます。"""


@dataclass(frozen=True, slots=True)
class DemoServer:
    """The server with all its people."""

    channel: ChannelHandle
    members: Mapping[str, MemberActor]
    """The members by name."""

    @property
    def guild(self) -> GuildId:
        """The server's id."""
        return GuildId(next(iter(self.members.values())).guild.id)

    def ids(self) -> Sequence[tuple[MemberId, Resident]]:
        """Return everybody's Discord id with the resident."""
        return [(MemberId(self.members[each.name].id), each) for each in RESIDENTS]


def build(simulator: Simulator) -> DemoServer:
    """Create the server before the bot connects."""
    simulator.name_bot("Kiroku")
    guild = simulator.create_guild("Kiroku arcade", preferred_locale=JAPANESE)
    channel = guild.create_text_channel("general", topic="Type / to try the bot · / を入力してお試しください")
    managers = guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    members: dict[str, MemberActor] = {}
    for number, resident in enumerate(RESIDENTS):
        roles = [managers] if resident.is_manager else []
        user = simulator.create_user(f"resident{number}", global_name=resident.name)
        simulator.locales[user.id] = resident.locale
        members[resident.name] = guild.add_member(user, roles=roles)
    simulator.post_as_bot(channel, WELCOME)
    return DemoServer(channel, members)
