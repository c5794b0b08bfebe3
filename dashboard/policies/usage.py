"""How much of limits over a period was used before an item, counted as the items go by: in memory, a sum per period, or, of
a limit per person, eight bytes for each person and period.

Expenses are counted as the service counts them. What payouts and bill payments have used the copy does not know to the
day: their whole amounts are what may have been used, so that a limit they could reach is UNKNOWN and never guessed.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet, Sum, Value
from django.db.models.fields.json import KT

from dashboard.access.models import Business
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import ApprovalRequest, Category, Employee, Expense
from dashboard.policies import weighed_items
from dashboard.policies.evaluation import Span, SpendFacts, period_start
from dashboard.policies.rules import CARD_CHANNELS, SELF, PolicyRule
from dashboard.policies.weighed_items import Weighed, WeighedPeriod

PAYOUT = "payout"
# Who asked for a payment, as its kind calls them: a payout is initiated, approval of a bill's payment requested.
REQUESTERS = ("initiated_by", "requested_by", "created_by")
NONE = Span()
# The most that a sum holds: more is above every limit as well.
MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Meter:
    """What a limit over a period counts: policies that count the same share one."""

    type: str
    target: str
    currency: str
    period: str
    per_person: bool
    exempt_team_ids: frozenset[str]
    exempt_employee_ids: frozenset[str]

    @classmethod
    def of(cls, policy_rule: PolicyRule) -> Meter:
        """The meter of a rule with a period."""
        return cls(
            policy_rule.type,
            policy_rule.target,
            policy_rule.currency,
            policy_rule.period,
            policy_rule.per_person,
            policy_rule.exempt_team_ids,
            policy_rule.exempt_employee_ids,
        )

    def minor_of(self, weighed: Weighed) -> int:
        """The minor units of an item that count: of a split expense those of its parts, where it goes by what they are
        filed under."""
        if not weighed.parts or self.type not in ("SUBCATEGORY", "CATEGORY"):
            return (
                weighed.routed.amount_minor if self._is_of(weighed, weighed.subcategory_id, weighed.category_id) else 0
            )
        return sum(
            part.amount_minor for part in weighed.parts if self._is_of(weighed, part.subcategory_id, part.category_id)
        )

    def _is_of(self, weighed: Weighed, subcategory_id: str, category_id: str) -> bool:
        """Whether an expense counts under that subcategory and category; expenses know no vendor."""
        if weighed.kind != weighed_items.EXPENSE or weighed.routed.currency != self.currency:
            return False
        if weighed.person_id in self.exempt_employee_ids or weighed.team_id in self.exempt_team_ids:
            return False
        match self.type:
            case "CHANNEL":
                is_member = weighed.payment_type.startswith(f"{self.target}_")
                return self.target in (weighed.channel, weighed.payment_type) or is_member
            case "SUBCATEGORY":
                return subcategory_id == self.target
            case "CATEGORY":
                return category_id == self.target
            case _:
                return False

    @property
    def may_count_payments(self) -> bool:
        """Whether payouts and bill payments can count: none goes by card, and to oneself nothing is counted."""
        return not (self.type == "CHANNEL" and self.target in {*CARD_CHANNELS, "CARD"}) and self.target != SELF


def _zeros() -> array[int]:
    return array("q")


@dataclass(slots=True)
class _Sums:
    """What a meter has counted in one period: for sure, perhaps (since ended), and what payments may add. Each by a person's
    place; a meter of everybody has the place 0 alone."""

    sure: array[int] = field(default_factory=_zeros)
    perhaps: array[int] = field(default_factory=_zeros)
    payments: array[int] = field(default_factory=_zeros)

    def span(self, place: int) -> Span:
        """How much was used at a place."""
        low = _at(self.sure, place)
        return Span(low, low + _at(self.perhaps, place) + _at(self.payments, place))

    def anybody(self) -> Span:
        """How much somebody used of whom nobody knows who they are: nothing, or as much as whoever used most."""
        places = max(map(len, (self.sure, self.perhaps, self.payments)))
        return Span(0, max((self.span(place).high for place in range(places)), default=0))


def _at(sums: array[int], place: int) -> int:
    return sums[place] if place < len(sums) else 0


def _add(sums: array[int], place: int, minor: int) -> None:
    missing = place + 1 - len(sums)
    if missing > 0:
        sums.frombytes(bytes(sums.itemsize * missing))
    sums[place] = min(sums[place] + minor, MOST)


@dataclass
class Usage:
    """The sums of every meter by the beginning of their periods. `add` each item after it was weighed."""

    zone: ZoneInfo
    meters: dict[Meter, dict[datetime, _Sums]] = field(default_factory=dict)
    # By the identity of a rule: it is asked for every item, and a meter is slow to hash.
    _by_rule: dict[int, dict[datetime, _Sums]] = field(default_factory=dict)
    # The place of each person in the sums of a meter per person.
    _places: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: Iterable[PolicyRule], zone: ZoneInfo) -> Usage:
        """Empty sums for the rules that have a period; these very objects are asked about afterwards."""
        usage = cls(zone)
        for rule in rules:
            if rule.period:
                usage._by_rule[id(rule)] = usage.meters.setdefault(Meter.of(rule), {})
        return usage

    def used(self, policy_rule: PolicyRule, facts: SpendFacts) -> Span:
        """How much of the rule's period was used before a use of money."""
        sums = self._by_rule[id(policy_rule)].get(period_start(policy_rule.period, facts.at, self.zone))
        if sums is None:
            return NONE
        if not policy_rule.per_person:
            return sums.span(0)
        if facts.employee_id is None:
            return sums.anybody()
        place = self._places.get(facts.employee_id)
        return NONE if place is None else sums.span(place)

    def add(self, weighed: Weighed) -> None:
        """Counts an item that was weighed."""
        for meter, periods in self.meters.items():
            if minor := meter.minor_of(weighed):
                sums = periods.setdefault(period_start(meter.period, weighed.at, self.zone), _Sums())
                _add(sums.perhaps if weighed.is_ended else sums.sure, self._place(meter, weighed.person_id), minor)

    def _place(self, meter: Meter, person_id: str) -> int:
        """Where a meter counts what somebody spent."""
        return self._places.setdefault(person_id, len(self._places)) if meter.per_person else 0

    def load(self, business: Business, weighed_period: WeighedPeriod) -> None:
        """Counts what was spent in the periods that were under way before the first day, and what payments may have
        used in any: two queries for each meter, and one for the people where there is one per person."""
        known = self._people(business)
        for meter, periods in self.meters.items():
            begins = period_start(meter.period, weighed_period.begins, self.zone)
            if begins < weighed_period.begins:
                sums = periods.setdefault(begins, _Sums())
                self._count_before(business, meter, begins, weighed_period.begins, sums)
            if meter.may_count_payments:
                self._count_payments(business, meter, periods, begins, weighed_period.ends, known)

    def load_until(self, business: Business, at: datetime) -> None:
        """Counts what was spent in each period that is under way at a moment, before that moment."""
        known = self._people(business)
        for meter, periods in self.meters.items():
            begins = period_start(meter.period, at, self.zone)
            sums = periods.setdefault(begins, _Sums())
            self._count_before(business, meter, begins, at, sums)
            if meter.may_count_payments:
                self._count_payments(business, meter, periods, begins, at, known)

    def _people(self, business: Business) -> frozenset[str]:
        """Everybody whom the copy knows to be of the business; nobody where no meter is per person."""
        if not any(meter.per_person for meter in self.meters):
            return frozenset()
        return frozenset(Employee.objects.filter(business=business).values_list("remote_id", flat=True))

    def _count_before(
        self, business: Business, meter: Meter, begins: datetime, until: datetime, period_sums: _Sums
    ) -> None:
        for person_id, status, total in _spent_before(business, meter, begins, until):
            is_ended = status in weighed_items.ENDED
            _add(period_sums.perhaps if is_ended else period_sums.sure, self._place(meter, person_id), total or 0)

    def _count_payments(
        self, business: Business, meter: Meter, periods: dict[datetime, _Sums], begins: datetime, ends: datetime,
        known: Collection[str],
    ) -> None:  # fmt: skip
        rows = ApprovalRequest.objects.filter(
            business=business, kind__in=(PAYOUT, weighed_items.PAYMENT), currency=meter.currency, tombstoned_at=None,
            requested_at__gte=begins, requested_at__lt=ends,
        ).exclude(status="DRAFT")  # fmt: skip
        fields = (f"payload__{name}" for name in ("scheduled_for", "settled_at", *REQUESTERS))
        for minor, at, scheduled, settled, *requesters in rows.values_list(
            "amount_minor", "requested_at", *map(KT, fields)
        ).iterator():
            at_all = [at, *filter(None, map(moment, (scheduled, settled)))]
            requester = str(next(filter(None, requesters), ""))
            # Whom the copy does not know may be a client, whose payments count as those of nobody.
            people = {requester} if requester in known else {requester, ""}
            places = {self._place(meter, person_id) for person_id in people}
            for start in {period_start(meter.period, when, self.zone) for when in at_all}:
                for place in places:
                    _add(periods.setdefault(start, _Sums()).payments, place, minor or 0)


def _spent_before(
    business: Business, meter: Meter, begins: datetime, until: datetime
) -> Iterator[tuple[str, str, int | None]]:
    """(person, status, minor units) of the expenses of these moments that count; the person is "" where everybody's do."""
    rows = Expense.objects.filter(
        business=business, tombstoned_at=None, currency=meter.currency, transaction_date__gte=begins,
        transaction_date__lt=until,
    )  # fmt: skip
    rows = rows.exclude(employee_id__in=meter.exempt_employee_ids).exclude(team_id__in=meter.exempt_team_ids)
    whole = rows.filter(_is_counted(business, meter))
    named = whole.annotate(person_id=F("employee_id") if meter.per_person else Value(""))
    yield from named.values_list("person_id", "status").annotate(Sum("amount_minor"))
    yield from _split_before(business, meter, rows)


def _split_before(business: Business, meter: Meter, rows: QuerySet[Expense]) -> Iterator[tuple[str, str, int]]:
    """The person and status of each split expense with a part that counts, and the minor units of it."""
    if meter.type not in ("SUBCATEGORY", "CATEGORY"):
        return
    filed = {meter.target}
    if meter.type == "CATEGORY":
        named = Category.objects.filter(business=business, category_id=meter.target)
        filed = set(named.values_list("remote_id", flat=True))
    for employee_id, status, parts in rows.filter(part_count__gt=0).values_list(
        "employee_id", "status", "payload__parts"
    ):
        person_id = employee_id if meter.per_person else ""
        yield person_id, status, sum(part["amount_minor"] for part in parts if part["subcategory_id"] in filed)


def _is_counted(business: Business, meter: Meter) -> Q:
    match meter.type:
        case "CHANNEL":
            member = Q(payload__payment_type__startswith=f"{meter.target}_")
            return Q(payload__channel=meter.target) | Q(payload__payment_type=meter.target) | member
        case "SUBCATEGORY":
            return Q(subcategory_id=meter.target, part_count=0)
        case "CATEGORY":
            filed = Category.objects.filter(business=business, category_id=meter.target)
            return Q(subcategory_id__in=filed.values("remote_id"), part_count=0)
        case _:
            return Q(pk__in=[])
