"""The order by urgency, and the reason of each row's place in it: the one definition, for the inbox and for Home.

First what has a cut-off within a week, or had one, by the cut-off; then what is risky for much money, by risk times amount;
then everything else by when its team would usually have decided on it. The database reckons the values
(mirror/models/weights.py), so that the order is read from indexes however much waits.
"""

from datetime import UTC, datetime, timedelta

from dashboard.decisions.desk_items import level_of
from dashboard.decisions.filters import ORDERS, Place
from dashboard.inputs import LARGEST_MINOR, whole_number
from dashboard.mirror.models.weights import USUAL_S
from dashboard.times import age

# A cut-off within this time comes before any risk; a later one presses nobody yet.
PRESSING = timedelta(days=7)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CUT_OFF, STAKE, AGE = range(len(ORDERS["urgency"]))
# From so many times the usual the words say how many.
MANY_TIMES = 2


def usual_deadline(moment: datetime) -> int:
    """When something that waits since a moment would usually have been decided on, in seconds since 1970: of what has no
    team whose usual time is known."""
    return (moment - EPOCH) // timedelta(seconds=1) + USUAL_S


def reason(section: int, value: Place, moment: datetime, risk: int, amount: str, now: datetime) -> str:
    """Why a row stands where it does, in a few words. `section` and `value` are its place in the order, `moment` is since
    when it waits, `amount` its amount as text ("" for none)."""
    if isinstance(value, datetime):
        return f"Cut-off missed {age(value, now)} ago" if value <= now else f"Cut-off in {age(now, value)}"
    if section == STAKE:
        # The score is known here and not its flags: a high one need not have a red one.
        level = f"{level_of(risk).capitalize()} risk"
        return f"{level}, {short_amount(amount)}" if amount else level
    usual_s = int(value) - (moment - EPOCH) // timedelta(seconds=1)
    return _waiting(int((now - moment).total_seconds()), usual_s, moment, now)


def _waiting(waited_s: int, usual_s: int, moment: datetime, now: datetime) -> str:
    # Of what nobody has decided on often enough yet nothing is usual.
    times = waited_s // usual_s if usual_s > 0 and usual_s != USUAL_S else 0
    if times >= MANY_TIMES:
        return f"Waiting {times:,}× the usual"
    return "Waiting longer than usual" if times else f"Waiting {age(moment, now)}"


def short_amount(amount: str) -> str:
    """An amount of a million or more in short, "KES 1.2m" for "KES 1,200,000.00"; a smaller one as it is."""
    code, _, digits = amount.partition("\u00a0" if "\u00a0" in amount else " ")
    whole = whole_number(digits.split(".")[0].replace(",", ""), LARGEST_MINOR)
    if whole is None or whole < 1_000_000:
        return amount
    tenths = whole // 100_000
    return f"{code} {tenths // 10:,}.{tenths % 10}m"
