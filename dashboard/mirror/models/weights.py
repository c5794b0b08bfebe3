"""How urgent a waiting row is, as columns that the database reckons itself: whatever writes a row, its place in the order
is right, and a page of the order is read from an index.

What weighs beside the row's own columns is written by the dashboard and not by the copy: `dismissed_risk` (points of flags
that somebody has dismissed), `usual_s` (what the team usually takes, in seconds) and `usual_minor` (what is usually paid
in the currency, in minor units; 0 where nobody knows). Which rows come first: dashboard/decisions/urgency.py.
"""

from django.db import models
from django.db.models import BigIntegerField, F, Func, SmallIntegerField, Value
from django.db.models.functions import Greatest

# Until a team has decided often enough to say what is usual.
USUAL_S = 2 * 24 * 3600
# A risk below this is no reason to be decided on before others, however much it is about.
LEAST_RISK = 30
# Risk times amount, a usual amount being 1, from which it is one: a high risk at the usual amount, a medium one at twice.
LEAST_STAKE = 60


class Seconds(Func):
    """A moment as whole seconds since 1970: an interval is the same in every time zone, so that a column may hold it."""

    template = "FLOOR(EXTRACT(EPOCH FROM (%(expressions)s - '1970-01-01 00:00:00+00'::timestamptz)))::bigint"
    output_field = BigIntegerField()


class Stake(Func):
    """What is left of the risk times the amount, a usual amount being 1; NULL where that is no reason to come first."""

    arity = 4
    output_field = BigIntegerField()
    template = (
        "CASE WHEN {risk} >= %(least_risk)s AND {stake} >= %(least_stake)s THEN LEAST({stake}, 1e15)::bigint END"
    ).format(
        risk='GREATEST("risk" - "dismissed_risk", 0)',
        stake=(
            '(GREATEST("risk" - "dismissed_risk", 0)::numeric'
            ' * CASE WHEN "usual_minor" > 0 AND "amount_minor" IS NOT NULL'
            ' THEN ABS("amount_minor")::numeric / "usual_minor" ELSE 1 END)'
        ),
    )

    def __init__(self) -> None:
        super().__init__(
            F("risk"), F("dismissed_risk"), F("amount_minor"), F("usual_minor"), least_risk=LEAST_RISK,
            least_stake=LEAST_STAKE,
        )  # fmt: skip


def weighed_risk() -> models.GeneratedField:
    """The service's score without the points of dismissed flags."""
    return models.GeneratedField(
        expression=Greatest(F("risk") - F("dismissed_risk"), Value(0), output_field=SmallIntegerField()),
        output_field=SmallIntegerField(),
        db_persist=True,
    )


def stake() -> models.GeneratedField:
    """Risk times amount where it is a reason to come first (see `Stake`)."""
    return models.GeneratedField(expression=Stake(), output_field=BigIntegerField(null=True), db_persist=True)


def decide_by_field(moment: str) -> models.GeneratedField:
    """When the team would usually have decided on it, in seconds since 1970; `moment` is the column it waits since."""
    return models.GeneratedField(
        expression=Seconds(F(moment)) + F("usual_s"), output_field=BigIntegerField(), db_persist=True
    )
