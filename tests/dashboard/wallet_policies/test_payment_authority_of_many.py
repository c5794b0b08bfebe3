"""Who can move money, of a thousand people by fifty wallets: in eight queries, each named once."""

from __future__ import annotations

from dataclasses import replace

from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.impact.payment_authority import largest_without_votes
from dashboard.mirror.models import Employee, Wallet
from dashboard.pages.wallet_policies.presenters.payment_authority import authority_context
from dashboard.pages.wallet_policies.selectors.access import usable_wallets_of
from dashboard.pages.wallet_policies.selectors.payment_authority import AuthorityQuery, people_page, wallets_of
from dashboard.schemas.wallet_policies import Mandate
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.test_payment_authority import ALL, people, seeded

__all__ = ["seeded"]

bands = st.lists(
    st.tuples(st.integers(0, 30), st.one_of(st.none(), st.integers(0, 12))), max_size=4
).map(lambda pairs: [Mandate(_id=str(at), action_type=1, min_amount_minor=low, max_amount_minor=None if more is None else low + more)
                     for at, (low, more) in enumerate(pairs)])  # fmt: skip


def test_a_thousand_people_by_fifty_wallets_are_read_in_eight_queries(world: World) -> None:
    actor = world.actor("Ada")
    authority_context(actor, ALL, 0)
    grow(world)
    with CaptureQueriesContext(connection) as page_queries:
        context = authority_context(actor, ALL, 0)
    assert len(context["rows"]) == 50
    assert len(page_queries) <= 8, [query["sql"][:80] for query in page_queries]
    # What somebody can do is known for all of them at once, too.
    wallets = wallets_of(usable_wallets_of(actor), ALL)
    with CaptureQueriesContext(connection) as filter_queries:
        found = people_page(actor, replace(ALL, can="alone"), wallets, wallets[:3], 50)
    assert found.people
    assert len(filter_queries) <= 2 * 8


def test_all_pages_together_name_everybody_once(world: World) -> None:
    grow(world, people=120, wallets=1)
    actor, query, names = world.actor("Ada"), ALL, list[str]()
    wallets = wallets_of(usable_wallets_of(actor), ALL)
    while True:
        found = people_page(actor, query, wallets, wallets[:1], 50)
        names += [each.name for each in found.people]
        if not found.next:
            break
        query = AuthorityQuery.read(QueryDict(f"after={found.next}"))
    assert len(names) == len(set(names)) == len(people(world))


def grow(world: World, people: int = 1_000, wallets: int = 50) -> None:
    now = timezone.now()
    shared = {"business": world.business, "first_seen": now, "last_seen": now}
    Employee.objects.bulk_create(
        Employee(remote_id=f"e{number}", name=f"Person {number:04}", role="CARD_USER", status="ACTIVE", **shared)
        for number in range(people)
    )
    Wallet.objects.bulk_create(
        Wallet(
            remote_id=f"w{number}",
            org_wallet_ref=f"w{number}",
            currency="KES",
            status="ACTIVE",
            name=f"W {number}",
            **shared,
        )
        for number in range(wallets)
    )


@given(bands, st.one_of(st.none(), st.integers(0, 60)))
def test_the_largest_amount_without_votes_is_that_of_counting(rows: list[Mandate], most: int | None) -> None:
    def asks(amount: int) -> bool:
        return any(
            row.min_amount_minor <= amount and (row.max_amount_minor is None or amount <= row.max_amount_minor)
            for row in rows
        )

    free = [amount for amount in range(1, 61 if most is None else most + 1) if not asks(amount)]
    largest = largest_without_votes(rows, most)
    if most is None and not any(row.max_amount_minor is None for row in rows):
        assert largest is None
    else:
        assert largest == max(free, default=0)
