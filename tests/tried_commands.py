"""The commands that a browser tries in the demo, and what the answer of each says in English and in Japanese."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.domain.goals import parse_goal
from bot.features.shared.goal_packs import GoalPack
from bot.store import key_of

Both: TypeAlias = tuple[str, str]
"""What is said in English and in Japanese."""


OTHER: Final = "{other}"


@dataclass(frozen=True)
class Try:
    """A command with its options, and what its answer says."""

    command: str
    says: Both
    typed: Mapping[str, str | int]
    """By option; a number is the place of a suggestion, taken without typing."""
    chosen: Mapping[str, str]
    """By option, typed as well; the first suggestion is taken."""
    has_picture: bool


def step(
    command: str,
    says: Both,
    typed: Mapping[str, str | int] | None = None,
    /,
    *,
    picture: bool = False,
    **chosen: str,
) -> Try:
    return Try(command, says, typed or {}, chosen, picture)


SONG: Final = "rainy horizon"
NOT_PLAYED: Final = "silent signal"
"""By those who try the commands."""
PACK: Final = key_of(str(GoalPack("Summer", "Ken", (parse_goal("level:14 rank>=sss count:20"),))))
OWN: Final = (
    step("rating", ("Best average", "ベスト枠平均")),
    step("rating", ("Best average", "ベスト枠平均"), member=OTHER),
    step("best", ("For phones", "スマホ向け"), picture=True),
    step("best", ("Candidates", "ベスト枠候補"), {"slot": 2}, picture=True),
    step("session", ("Between", " ～ "), picture=True),
    step("history", ("highest", "最高"), picture=True, member="Alice"),
    step("history", ("each dot is a look", "点は取得した時点"), picture=True, chart=SONG),
    step("recap", ("At a glance", "全体のまとめ")),
    step("leaderboard", ("5 members", "5人")),
    step("leaderboard", ("MASTER", "MASTER"), song=SONG),
    step("score", ("Scores of", "のスコア"), song=SONG),
    step("scores", ("average score", "平均スコア"), {"filter": "diff:mas rank<sss", "sort": 1}),
    step("table", ("charts played", "譜面プレイ済み"), {"filter": "lv:14"}, picture=True),
    step("worldsend", ("World's End scores of", "の WORLD'S END スコア")),
    step("courses", ("courses cleared", "コースをクリア")),
    step("plan", ("The next evening", "次にプレイする日")),
    step("plan", ("16.63", "16.63"), {"target": "16.63"}),
    step("plan", ("17.90", "17.90"), {"target": "17.9"}),
    step(
        "whatif",
        ("Would be #", "位 になります"),
        {"score": "1009900"},
        song=SONG,
        difficulty="MASTER",
    ),
    step("tiers", ("Tiers of", "の難易度表"), {"filter": "lv:14"}, picture=True),
    step("version", ("Game version of", "のゲームバージョン")),
    step("calc", ("Least score for 16.50", "16.50 に必要なスコア"), {"constant": "14.7", "rating": "16.5"}),
    step("calc", ("16.77", "16.77"), {"constant": "14.7", "score": "1008295"}),
    step("border", ("never below", "未満にはなりません"), song=SONG),
    step("goal add", ("Goal set", "目標を設定しました"), {"goal": "level:14 rank>=sss count:20"}),
    step("goal list", ("of ", "譜面中"), picture=True),
    step("goal copy", ("give codes:", "発行されるコード"), {"code": "nothing"}),
    step("pack make", ("Pack of goals made", "目標セットを作りました"), {"name": "Summer", "author": "Ken"}),
    step("pack pin", ("Pack of goals pinned", "目標セットを固定しました"), {"code": PACK}),
    step("pack list", ("Summer", "Summer")),
    step("pack take", ("Nothing is set yet", "まだ設定していません"), {"code": PACK}),
    step("pack unpin", ("no longer pinned", "固定を外しました"), {"code": 0}),
    step(
        "pack drop", ("You have set yourself no pack", "設定した目標セットはありません"), {"code": "nothing"}
    ),
    step("goal remove", ("Goal removed", "目標を削除しました"), {"goal": 0}),
    step("locked add", ("You have a score", "スコアがある"), song=SONG),
    step("locked add", ("Left out", "対象から外しました"), song=NOT_PLAYED),
    step("locked list", ("Silent Signal", "Silent Signal")),
    step("locked remove", ("counts again", "対象に戻しました"), song=NOT_PLAYED),
    step("practice", ("A solid gain", "堅実に伸ばす")),
    step("skill", ("Strong", "得意"), picture=True),
    step(
        "compare",
        ("Filter on your records", "あなたの記録の絞り込み"),
        {"filter": "const>=13"},
        member=OTHER,
        picture=True,
    ),
    step("overpower", ("songs played", "曲プレイ済み"), picture=True),
    step("overpower", ("A song counts by", "各曲で"), {"by": 1}, picture=True),
    step("overpower", ("Each chart counts", "内訳は譜面ごと"), {"by": 2}, picture=True),
    step("friends", ("Your friends", "フレンド")),
)
FINDING: Final = (
    step("song", ("Rainy Horizon", "Rainy Horizon"), title=SONG),
    step("search", (" charts", " 譜面"), {"filter": "const>=13.5 genre:original -lamp:aj"}),
    step("random", ("Random charts", "ランダム選曲"), {"filter": "lv:14", "count": "3"}),
    step("random", ("strikes next", "次に外すのは"), {"filter": "lv:14", "players": "@みお"}),
    step("stats", ("Ranks", "ランク"), song="iron rondo", picture=True),
    step("new", ("New in the catalogue", "新曲・定数変更")),
    step("alias add", ("now means", "見つかります"), {"alias": "rr"}, song=SONG),
    step("alias list", ("rr → ", "rr → ")),
    step("alias suggest", ("Suggested alias", "別名の提案"), {"alias": "rain"}, song=SONG),
    step("alias export", ("Aliases in this server", "このサーバーでの別名")),
    step("alias remove", ("no longer means any song", "ではなくなりました"), alias="rr"),
)
AROUND: Final = (
    step(
        "daily channel",
        ("Each day at 9:00", "毎日 21:00"),
        {"time": "21:00"},
        channel="general",
        timezone="Asia/Tokyo",
    ),
    step("daily join", ("You are in", "参加しました")),
    step("daily list", ("Posts of this server", "このサーバーの投稿")),
    step("daily preview", ("のレーティング", "のレーティング"), picture=True),
    step("daily direct", ("on my own", "こちらから DM を送ることはありません")),
    step("daily leave", ("You are out", "参加をやめました")),
    step("daily now", ("within half a minute", "30秒以内")),
    step("daily off", ("turned off", "停止しました")),
    step("feed channel", ("SSS or higher", "SSS 以上"), {"rank": 1}, channel="general"),
    step("feed join", ("You are in the feed", "速報に参加しました")),
    step("feed list", ("Feeds of this server", "このサーバーの速報")),
    step("feed leave", ("You are out of the feed", "速報から抜けました")),
    step("feed off", ("turned off", "停止しました")),
    step("settings", ("Your settings", "自分の設定")),
    step("settings", ("Europe/London", "Europe/London"), timezone="Europe/London"),
    step("account", ("Requests left", "残りリクエスト数")),
    step("export", ("Your records", "自分の記録")),
    step("export", (".json", ".json"), {"format": 1}),
    step("export", ("Batch Manual", "Batch Manual"), {"format": 2}),
    step("privacy show", ("What is kept about you", "保存されている自分の情報")),
    step("privacy export", ("kiroku-kept.json", "kiroku-kept.json")),
    step("try", ("This player is invented", "架空のプレイヤー"), picture=True),
    step("help", ("What this bot can do", "このボットでできること")),
    step("help", ("/scores [", "/スコア一覧 ["), command="scores"),
    step("about", ("Non-commercial", "非営利")),
    step("privacy erase", ("Erase everything?", "すべて消去しますか？")),
    step("unlink", ("Unlinked", "連携を解除しました")),
)
GROUPS: Final = {"own": OWN, "finding": FINDING, "around": AROUND}
