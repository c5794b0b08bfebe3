"""Who can move money: each cell is what the gate says, the lowest limit holds, and a thousand people cost eight queries."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import openpyxl
import pytest
from django.http import QueryDict
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.models import Membership, User
from dashboard.access.standing import forget_standing
from dashboard.access.subject import Subject, SubjectSeat
from dashboard.errors import NotAllowed
from dashboard.impact.mandate_reads import mandates_of
from dashboard.impact.mandate_text import voting
from dashboard.impact.payment_authority import (
    INVEST,
    VOTES,
    WAYS,
    Authority,
    Limit,
    card_limits,
    lowest,
)
from dashboard.mirror.models import Card, Employee, FundAccount, SyncCursor, Wallet
from dashboard.pages.wallet_policies.selectors.access import usable_wallets_of
from dashboard.pages.wallet_policies.selectors.payment_authority import (
    AuthorityQuery,
    PersonAuthority,
    everybody,
    wallets_of,
)
from dashboard.schemas.wallet_policies import Mandate
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import at, employee, first, move, policy, words

ALL = AuthorityQuery.read(QueryDict(""))
CASE = random.Random(20_261)
NAMES = [way.permission for way in WAYS] + [INVEST.permission, "WALLET_VIEW", "WALLET_CARD_FUND"]


def people(world: World, query: AuthorityQuery = ALL, person: str = "Ada") -> dict[str, PersonAuthority]:
    actor = world.actor(person)
    return {each.name: each for each in everybody(actor, query, wallets_of(usable_wallets_of(actor), query))}


def full(world: World, person: str) -> str:
    return str(world.employee(person)["name"])


def of(world: World, person: str, wallet: Wallet, code: str) -> list[Authority]:
    return [each for each in people(world)[full(world, person)].cells[wallet.remote_id] if each.code == code]


def card(world: World, person: str, wallet: Wallet, **given: object) -> Card:
    values = {
        "kind": "VIRTUAL", "status": "ACTIVE", "employee_id": employee(world, person), "currency": wallet.currency,
        "org_wallet_ref": wallet.org_wallet_ref, "funding": "BUSINESS_WALLET", "last_four": "4242",
        "created_at": timezone.now(), "remote_id": f"card-{Card.objects.count()}", "payload": {},
        "first_seen": timezone.now(), "last_seen": timezone.now(),
    }  # fmt: skip
    return Card.objects.create(business=world.business, **(values | given))


def fund_account(world: World, *operators: str) -> FundAccount:
    seats = [{"employee_id": employee(world, person), "counts": True} for person in operators]
    return FundAccount.objects.create(
        business=world.business, remote_id="fund-1", fund_id="f", fund_name="Money market", currency="KES",
        status="ACTIVE", operators=seats,
        first_seen=timezone.now(), last_seen=timezone.now(),
    )  # fmt: skip


def shuffled(world: World) -> None:
    """Policies in every state, roles of members that differ from the service's, operators, and somebody suspended."""
    ends, begins = timezone.now() - timedelta(minutes=1), timezone.now() + timedelta(days=2)
    for person in ("Carla", "Cyrus", "Rita", "Apollo", "Zawadi", "Ada", "Abel", "Sam"):
        for wallet in Wallet.objects.filter(business=world.business):
            if CASE.random() < 0.6:
                continue
            names = [name for name in CASE.sample(NAMES, CASE.randint(1, 4)) if name != "WALLET_CARD_FUND"] or NAMES[:1]
            found = policy(world, person, *names, wallet_id=wallet.remote_id)
            state = CASE.choice(["", "", "", "suspend", "ended", "coming"])
            if state == "suspend":
                move(world, found, "suspend")
            elif state:
                type(found).objects.filter(pk=found.pk).update(
                    **({"expires_at": ends} if state == "ended" else {"valid_from": begins})
                )
    fund_account(world, "Cyrus", "Rita")
    Membership.objects.filter(pk=world.people["Juma"].pk).update(role="REVIEWER")
    Membership.objects.filter(pk=world.people["Abel"].pk).update(role="APPROVER")
    Employee.objects.filter(business=world.business, remote_id=employee(world, "Zawadi")).update(status="SUSPENDED")
    for member in world.people.values():
        forget_standing(world.business.pk, member.employee_id)


def ways_by_the_gate(actor: Actor, wallet: Wallet, account: FundAccount) -> set[str]:
    """What `can` says to somebody as they stand when they are asked, operation by operation."""
    ways = {way.code for way in WAYS if can(actor, way.operation, wallet)}
    return ways | (
        {INVEST.code} if wallet.currency == account.currency and can(actor, INVEST.operation, account) else set()
    )


def mandates_by_the_gate(actor: Actor, mandate: Mandate, amount: int) -> bool:
    item = Subject(
        business_id=actor.business.pk, kind="approval", id="1", makers=frozenset({"somebody"}), amount_minor=amount,
        seats=tuple(SubjectSeat(seat.approver_id, seat.max_amount_minor) for seat in voting(mandate)),
    )  # fmt: skip
    return bool(can(actor, VOTES.get(mandate.action_type, operations.APPROVE_PAYMENT_REQUEST), item))


def test_each_cell_is_what_the_gate_says_to_that_person(world: World) -> None:
    shuffled(world)
    account = FundAccount.objects.get(business=world.business)
    wallets = list(Wallet.objects.filter(business=world.business))
    listed = people(world)
    mandates = mandates_of(world.actor("Ada")).value
    judged = 0
    for name, member in world.people.items():
        row = next(each for each in listed.values() if each.employee_id == member.employee_id)
        try:
            actor = Actor.for_membership(
                Membership.objects.select_related("business", "user").get(pk=member.pk), fresh=True
            )
        except NotAllowed:
            assert not any(row.cells.values()), name
            continue
        for wallet in wallets:
            cell = row.cells[wallet.remote_id]
            codes = {each.code for each in cell} - {"cards", "approvals", "grants"}
            assert codes == ways_by_the_gate(actor, wallet, account), (name, wallet.currency)
            for mandate in (each for each in mandates if each.active and each.currency == wallet.currency):
                lines = [
                    each for each in cell
                    if (each.code, each.action_type, each.least) == ("approvals", mandate.action_type, mandate.min_amount_minor)
                ]  # fmt: skip
                top = mandate.max_amount_minor or mandate.min_amount_minor + 10**9
                for amount in [
                    mandate.min_amount_minor,
                    top,
                    *(CASE.randint(mandate.min_amount_minor, top) for _ in range(3)),
                ]:
                    listed_so = any(line.limit.minor is None or amount <= line.limit.minor for line in lines)
                    assert listed_so == mandates_by_the_gate(actor, mandate, amount), (name, mandate.name, amount)
                    judged += 1
    assert judged > 100


def test_the_lowest_limit_holds_and_says_what_sets_it(world: World) -> None:
    kes = first(world)
    policy(
        world, "Apollo", "WALLET_ALLOCATE", "WALLET_FX", wallet_id=kes.remote_id,
        limits={"per_transaction": 900, "daily": 500, "monthly": 20_000},
    )  # fmt: skip
    [allocate] = of(world, "Apollo", kes, "allocations")
    assert allocate.limit == Limit(50_000, "a day", "wallet policy")
    assert allocate.is_alone
    [bills] = of(world, "Apollo", kes, "bills")
    assert bills.limit == Limit(None, "", "role")
    assert bills.alone == 0
    text = words(world.client("Ada").get(at(world, "money/")))
    assert "Transfer and FX and allocate to employees up to KES 500.00 a day by wallet policy; alone" in text


def test_a_suspended_policy_blocks_what_it_names_whatever_the_role_gives(world: World) -> None:
    kes = first(world)
    move(world, policy(world, "Apollo", "WALLET_ALLOCATE", wallet_id=kes.remote_id), "suspend")
    [allocate] = of(world, "Apollo", kes, "allocations")
    assert allocate.blocked
    assert not allocate.is_alone
    assert "Allocate to employees blocked: the wallet policy is suspended" in words(
        world.client("Ada").get(at(world, "money/"))
    )


def test_a_card_is_bounded_by_its_own_limits_and_the_policy(world: World) -> None:
    kes = first(world)
    controls = {
        "per_transaction_limit": 90_000,
        "limits": [
            {"interval": "PER_MONTH", "amount": 80_000},
            {"interval": "PER_DAY", "amount": 100, "mcc": ["5411"]},
        ],
    }
    row = card(world, "Carla", kes, payload={"controls": controls})
    [spend] = of(world, "Carla", kes, "cards")
    assert spend.limit == Limit(80_000, "a month", "card")
    policy(world, "Carla", "WALLET_CARD_FUND", wallet_id=kes.remote_id, limits={"daily": 300})
    [spend] = of(world, "Carla", kes, "cards")
    assert spend.limit == Limit(30_000, "a day", "wallet policy")
    Card.objects.filter(pk=row.pk).update(status="BLOCKED")
    assert not of(world, "Carla", kes, "cards")


def test_a_temporary_rise_of_a_card_counts_until_its_time_is_over() -> None:
    now = timezone.now()
    rise = {"limits": [{"interval": "PER_DAY", "amount": 900}], "per_transaction_limit": 700}
    controls = {"limits": [{"interval": "PER_DAY", "amount": 100}], "per_transaction_limit": 200, "temporary": rise}
    row = Card(payload={"controls": controls})
    rise["until"] = (now + timedelta(hours=1)).isoformat()
    assert lowest(card_limits(row, now), "card") == Limit(700, "a transaction", "card")
    assert lowest(card_limits(row, now + timedelta(hours=2)), "card") == Limit(100, "a day", "card")


def test_people_are_filtered_by_what_they_can_do_alone(world: World) -> None:
    kes = first(world)
    card(world, "Carla", kes, payload={"controls": {"limits": [{"interval": "PER_DAY", "amount": 100}]}})
    alone = people(world, replace(ALL, can="alone"))
    # An admin initiates what others approve; a super admin moves nothing.
    assert {full(world, "Carla"), full(world, "Apollo")} <= set(alone)
    assert not {full(world, person) for person in ("Ada", "Sam", "Cyrus", "Rita")} & set(alone)
    assert set(people(world, replace(ALL, can="cards"))) == {full(world, "Carla")}
    assert full(world, "Ada") in people(world, replace(ALL, can="grants"))
    shown = words(world.client("Ada").get(at(world, "money/?can=cards")))
    assert full(world, "Carla") in shown
    assert full(world, "Apollo") not in shown
    assert "is not a valid filter" in words(world.client("Ada").get(at(world, "money/?can=nothing")))


def test_a_member_without_an_employee_stands_there_too(world: World) -> None:
    user = User.objects.create_user(f"pen-{world.business.pk}@example.test", name="Pendo Auma")
    Membership.objects.create(user=user, business=world.business, role="ADMIN")
    assert {each.code for each in people(world)["Pendo Auma"].cells[first(world).remote_id]} == {"bills", "payouts"}
    assert "Pendo Auma" in words(world.client("Ada").get(at(world, "money/?q=pendo")))


def test_whoever_reads_no_policies_of_others_reads_nothing_here(world: World) -> None:
    for person, status in (("Carla", 403), ("Rita", 403), ("Apollo", 200), ("Ada", 200), ("Sam", 200)):
        assert world.client(person).get(at(world, "money/")).status_code == status, person
        assert world.client(person).get(at(world, "money/export/")).status_code == status, person


def test_the_file_says_what_the_page_says(world: World) -> None:
    kes = first(world)
    policy(world, "Apollo", "WALLET_ALLOCATE", wallet_id=kes.remote_id, limits={"daily": 500})
    answer = world.client("Ada").get(at(world, f"money/export/?q=apollo&wallet={kes.remote_id}"))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    [allocate] = [row for row in rows if row["Can"] == "Allocate to employees"]
    assert Decimal(allocate["Up to amount"]) == 500
    assert (allocate["Per"], allocate["By"], allocate["Alone"]) == ("a day", "wallet policy", "yes")
    assert {row["Person"] for row in rows if row["Wallet"]} == {full(world, "Apollo")}
    cells = people(world)[full(world, "Apollo")].cells[kes.remote_id]
    assert len([row for row in rows if row["Wallet"]]) == len(cells)
    sheet = world.client("Ada").get(at(world, f"money/export/?q=apollo&wallet={kes.remote_id}&format=xlsx"))
    book = openpyxl.load_workbook(io.BytesIO(sheet.content)).active
    assert book is not None
    assert book.cell(1, 1).value == "Person"
    assert book.cell(2, 1).value == full(world, "Apollo")


@pytest.fixture(autouse=True)
def seeded() -> None:
    CASE.seed(20_261)


def test_what_was_not_read_yet_is_said_and_not_taken_for_nothing(world: World) -> None:
    SyncCursor.objects.update_or_create(business=world.business, defaults={"bands": {}})
    shown = words(world.client("Ada").get(at(world, "money/?can=cards")))
    assert "cards and fund accounts are still being read from the finance service" in shown
    assert "No matches" not in shown
    content = world.client("Ada").get(at(world, "money/export/")).content.decode()
    assert "Not read yet, so not in this file" in content


def test_a_member_whose_employee_the_copy_does_not_have_is_there_with_what_the_gate_lets_them(world: World) -> None:
    Membership.objects.filter(pk=world.people["Apollo"].pk).update(employee_id="nobody-known")
    member = Membership.objects.select_related("user", "business").get(pk=world.people["Apollo"].pk)
    ada, account = world.actor("Ada"), fund_account(world, "Carla")
    listed = everybody(ada, ALL, wallets_of(usable_wallets_of(ada), ALL))
    row = next(each for each in listed if each.employee_id == "nobody-known")
    actor = Actor.for_membership(member, fresh=True)
    for wallet in Wallet.objects.filter(business=world.business):
        codes = {each.code for each in row.cells[wallet.remote_id]} - {"cards", "approvals", "grants"}
        assert codes == ways_by_the_gate(actor, wallet, account)
    assert any(row.cells.values())
