"""What controls allow: a table, on the pure function (decisions B.7)."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from service.cards.controls import EVER, Past, Use, check_controls, earliest_relevant

ZONE = ZoneInfo("Africa/Nairobi")
# A Wednesday, noon in Nairobi.
NOW = datetime(2026, 3, 18, 9, tzinfo=UTC)


def use(**fields: Any) -> Use:
    known = {"amount_minor": 100, "merchant": "Java House", "merchant_id": "m1", "mcc": "5812", "country": "KE",
             "channel": "CARD_PRESENT", "at": NOW}  # fmt: skip
    return Use(**{**known, **fields})


def ago(amount: int, *, mcc: str = "5812", refunded: int = 0, **span: float) -> Past:
    return Past(amount, mcc, NOW - timedelta(**span), refunded)


CASES: list[tuple[str, dict[str, Any], Use, list[Past], str]] = [
    ("no controls", {}, use(), [], ""),
    ("mcc allowed", {"mcc_allowed": ["5812"]}, use(), [], ""),
    ("mcc not allowed", {"mcc_allowed": ["5411"]}, use(), [], "mcc_blocked"),
    ("mcc blocked", {"mcc_blocked": ["5812"]}, use(), [], "mcc_blocked"),
    ("merchant by name", {"merchants_blocked": ["  JAVA   house "]}, use(), [], "merchant_blocked"),
    ("merchant by id", {"merchants_blocked": ["M1"]}, use(), [], "merchant_blocked"),
    ("merchant not allowed", {"merchants_allowed": ["Shell"]}, use(), [], "merchant_blocked"),
    ("block wins", {"merchants_allowed": ["m1"], "merchants_blocked": ["Java House"]}, use(), [], "merchant_blocked"),
    ("country", {"countries_allowed": ["NL"]}, use(), [], "country_blocked"),
    ("country blocked", {"countries_blocked": ["KE"]}, use(), [], "country_blocked"),
    ("channel", {"channels_allowed": ["ECOMMERCE"]}, use(), [], "channel_blocked"),
    ("amount at the limit", {"per_transaction_limit": 100}, use(), [], ""),
    ("amount over the limit", {"per_transaction_limit": 99}, use(), [], "per_transaction_limit"),
    ("day: yesterday does not count", {"limits": [{"interval": "PER_DAY", "amount": 150}]}, use(), [ago(100, hours=13)], ""),
    ("day: this morning does", {"limits": [{"interval": "PER_DAY", "amount": 150}]}, use(), [ago(100, hours=11)], "interval_limit"),
    ("week: sunday does not count", {"limits": [{"interval": "PER_WEEK", "amount": 150}]}, use(), [ago(100, days=3)], ""),
    ("week: monday does", {"limits": [{"interval": "PER_WEEK", "amount": 150}]}, use(), [ago(100, days=2)], "interval_limit"),
    ("month", {"limits": [{"interval": "PER_MONTH", "amount": 150}]}, use(), [ago(100, days=17)], "interval_limit"),
    ("last month", {"limits": [{"interval": "PER_MONTH", "amount": 150}]}, use(), [ago(100, days=18)], ""),
    ("year", {"limits": [{"interval": "PER_YEAR", "amount": 150}]}, use(), [ago(100, days=70)], "interval_limit"),
    ("ever", {"limits": [{"interval": "ALL_TIME", "amount": 150}]}, use(), [ago(100, days=900)], "interval_limit"),
    ("the tightest of two", {"limits": [{"interval": "PER_DAY", "amount": 900}, {"interval": "PER_WEEK", "amount": 150}]},
     use(), [ago(100, days=1)], "interval_limit"),
    ("limit of another mcc", {"limits": [{"interval": "PER_DAY", "amount": 50, "mcc": ["5411"]}]}, use(), [], ""),
    ("limit of this mcc", {"limits": [{"interval": "PER_DAY", "amount": 150, "mcc": ["5812"]}]}, use(),
     [ago(100, mcc="5411", hours=1)], ""),
    ("too often in an hour", {"max_count": {"1h": 1}}, use(), [ago(1, minutes=59)], "velocity"),
    ("an hour ago is past", {"max_count": {"1h": 1}}, use(), [ago(1, minutes=60)], ""),
    ("too often in a day", {"max_count": {"24h": 2}}, use(), [ago(1, hours=2), ago(1, hours=23)], "velocity"),
    ("single use, first", {"single_use": {"comparison": "LTE", "amount": 100}}, use(), [], ""),
    ("single use, second", {"single_use": {"comparison": "LTE", "amount": 100}}, use(), [ago(1, days=9)], "single_use_spent"),
    ("single use, not equal", {"single_use": {"comparison": "EQUALS", "amount": 101}}, use(), [], "per_transaction_limit"),
    ("weekday", {"active_window": {"weekdays": [3]}}, use(), [], ""),
    ("another weekday", {"active_window": {"weekdays": [1, 2, 4, 5, 6, 7]}}, use(), [], "policy_blocked"),
    ("hours of the business's zone", {"active_window": {"hours": {"from": "12:00", "to": "12:01"}}}, use(), [], ""),
    ("before its hours", {"active_window": {"hours": {"from": "12:01", "to": "18:00"}}}, use(), [], "policy_blocked"),
    ("hours end before", {"active_window": {"hours": {"from": "08:00", "to": "12:00"}}}, use(), [], "policy_blocked"),
    ("hours over midnight", {"active_window": {"hours": {"from": "22:00", "to": "13:00"}}}, use(), [], ""),
    ("outside hours over midnight", {"active_window": {"hours": {"from": "22:00", "to": "06:00"}}}, use(), [], "policy_blocked"),
    ("first day", {"active_window": {"from": "2026-03-18"}}, use(), [], ""),
    ("day before the first", {"active_window": {"from": "2026-03-19"}}, use(), [], "policy_blocked"),
    ("last day", {"active_window": {"until": "2026-03-18"}}, use(), [], ""),
    ("day after the last", {"active_window": {"until": "2026-03-17"}}, use(), [], "policy_blocked"),
    ("raised for now", {"per_transaction_limit": 50, "temporary": {"per_transaction_limit": 100, "until": "2026-03-18T09:00:01+00:00"}},
     use(), [], ""),
    ("the rise is over", {"per_transaction_limit": 50, "temporary": {"per_transaction_limit": 100, "until": "2026-03-18T09:00:00+00:00"}},
     use(), [], "per_transaction_limit"),
    ("a raised limit of its own mcc only", {"limits": [{"interval": "PER_DAY", "amount": 50}], "temporary": {
        "limits": [{"interval": "PER_DAY", "amount": 500, "mcc": ["5812"]}], "until": "2027-01-01T00:00:00+00:00"}},
     use(), [], "interval_limit"),
    ("refunds give room", {"limits": [{"interval": "PER_DAY", "amount": 150, "counts_refunds": True}]}, use(),
     [ago(100, hours=1, refunded=50)], ""),
    ("refunds give no room", {"limits": [{"interval": "PER_DAY", "amount": 150}]}, use(), [ago(100, hours=1, refunded=100)],
     "interval_limit"),
    ("locked from today", {"auto_lock_at": "2026-03-18"}, use(), [], "card_blocked"),
    ("locked from tomorrow", {"auto_lock_at": "2026-03-19"}, use(), [], ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("controls", "purchase", "past", "reason"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_the_first_failed_check_is_the_reason(
    controls: dict[str, Any], purchase: Use, past: list[Past], reason: str
) -> None:
    failed = [check.code for check in check_controls(controls, purchase, past, ZONE) if not check.passed]
    assert (failed[0] if failed else "") == reason


@pytest.mark.parametrize(
    ("controls", "since"),
    [
        ({"per_transaction_limit": 5}, None),
        ({"limits": [{"interval": "PER_DAY", "amount": 5}]}, datetime(2026, 3, 17, 21, tzinfo=UTC)),
        ({"max_count": {"1h": 1}}, NOW - timedelta(hours=1)),
        (
            {"max_count": {"24h": 1}, "limits": [{"interval": "PER_MONTH", "amount": 5}]},
            datetime(2026, 2, 28, 21, tzinfo=UTC),
        ),
        ({"limits": [{"interval": "PER_DAY", "amount": 5}, {"interval": "ALL_TIME", "amount": 5}]}, EVER),
        ({"single_use": {"amount": 5}}, EVER),
    ],
)
def test_it_looks_back_no_further_than_it_must(controls: dict[str, Any], since: datetime | None) -> None:
    assert earliest_relevant(controls, NOW, ZONE) == since


def test_an_overdue_receipt_is_asked_about_only_where_receipts_are_due() -> None:
    for controls, failed in (({}, []), ({"require_receipt_within_days": 3}, ["require_receipt_within_days"])):
        checks = check_controls(controls, use(), [], ZONE, receipt_overdue=True)
        assert [check.name for check in checks if not check.passed] == failed
