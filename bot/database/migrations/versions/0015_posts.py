"""Plans of posts, of which a server may have several, and their posts, of which each is made once."""

import sqlalchemy as sa
from alembic import op

from bot.database.tables import SNOWFLAKE, Utc

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Carry each server's schedule over, by statements alone: a row that cannot be read is no obstacle."""
    op.create_table(
        "post_plans",
        sa.Column("id", SNOWFLAKE, nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("guild_id", SNOWFLAKE, nullable=True, comment="None: direct messages"),
        sa.Column("channel_id", SNOWFLAKE, nullable=True),
        sa.Column("member_id", SNOWFLAKE, nullable=True, comment="who is written to directly"),
        sa.Column("post_at", sa.Time(), nullable=False, comment="local time of day"),
        sa.Column("timezone", sa.String(64), nullable=False, comment="IANA name"),
        sa.Column("language", sa.String(16), nullable=True, comment="None: that of the server"),
        sa.Column("options", sa.String(255), nullable=False, comment="words"),
        sa.Column(
            "refused", sa.Integer(), nullable=False, comment="posts in a row that Discord did not take"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_post_plans")),
    )
    for column in ("guild_id", "member_id"):
        op.create_index(op.f(f"ix_post_plans_{column}"), "post_plans", [column])
    op.create_table(
        "posts",
        sa.Column("plan_id", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False, comment="local to the plan"),
        sa.Column(
            "part", sa.String(64), nullable=False, comment="which of several that a day has; most have one"
        ),
        sa.Column("state", sa.String(8), nullable=False, comment="due, sending, sent or skipped"),
        sa.Column("reason", sa.String(16), nullable=True, comment="why it was skipped, or waits"),
        sa.Column("due_at", Utc(), nullable=False),
        sa.Column("look_at", Utc(), nullable=True, comment="when to look at it next; None: it is settled"),
        sa.Column("planned_at", Utc(), nullable=True, comment="by the clock of then; None: it is settled"),
        sa.Column("owner", SNOWFLAKE, nullable=True),
        sa.Column(
            "tries", sa.Integer(), nullable=False, comment="a fence: whoever claimed it last settles it"
        ),
        sa.Column("tried_at", Utc(), nullable=True, comment="since when it may stand in its channel"),
        sa.Column("channel_id", SNOWFLAKE, nullable=True, comment="where it may stand"),
        sa.Column("message_id", SNOWFLAKE, nullable=True),
        sa.Column("late", sa.Boolean(), nullable=False, comment="sent noticeably after its time"),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["post_plans.id"], name=op.f("fk_posts_plan_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["owner"], ["processes.id"], name=op.f("fk_posts_owner"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("plan_id", "day", "part", name=op.f("pk_posts")),
    )
    for column in ("look_at", "planned_at", "owner"):
        op.create_index(op.f(f"ix_posts_{column}"), "posts", [column])
    op.execute(
        "INSERT INTO post_plans (what, guild_id, channel_id, post_at, timezone, options, refused) "
        "SELECT 'daily', guild_id, channel_id, post_at, timezone, '', 0 FROM daily_posts ORDER BY guild_id"
    )
    # The day that was marked counts as posted: whoever sets the post up anew today has the next one tomorrow.
    for day, state, look_at in ((_day_after("posted_on"), "due", "due_at"), ("posted_on", "sent", "NULL")):
        op.execute(
            "INSERT INTO posts (plan_id, day, part, state, due_at, look_at, tries, late) "  # noqa: S608 - of here
            f"SELECT id, {day}, '', '{state}', due_at, {look_at}, 0, false "
            "FROM daily_posts JOIN post_plans ON post_plans.guild_id = daily_posts.guild_id WHERE true "
            "ON CONFLICT DO NOTHING"
        )
    op.drop_index(op.f("ix_daily_posts_due_at"), "daily_posts")
    op.drop_table("daily_posts")


def _day_after(column: str) -> str:
    """Return the day after the one that stands in a column, as the database writes that."""
    if op.get_bind().dialect.name == "sqlite":
        return f"coalesce(date({column}, '+1 days'), {column})"  # which holds anything
    return f"{column} + (1)"
