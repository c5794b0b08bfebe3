"""One figure is the same on every page that shows it, to the cent: every month, every wallet, every range."""

import re
import time
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.times import local
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.test_real_payments import ITEM
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House, make_house

HTMX = {"HX-Request": "true"}


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def page(world: World | House, path: str, person: str = "Ada") -> str:
    browser = world.client(person) if isinstance(world, World) else world.browser(person)
    headers = HTMX if path.startswith("home/") else {}
    answer = browser.get(world.address(path), headers=headers)
    assert answer.status_code == 200, path
    return markup_of(answer).replace("\xa0", " ")


def exact(shown: str) -> Decimal:
    return Decimal(shown.replace(",", "").replace("−", "-").lstrip("+"))


def rows(shown: str, start: str) -> list[list[str]]:
    """The cells of the table that follows `start`, each up to its first mark."""
    table = shown[shown.index(start) :]
    found = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")])
    return [[cell.split("<")[0] for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in found]


def tiles(shown: str, start: str) -> dict[str, str]:
    """The tiles of the section that follows `start`."""
    section = shown[shown.index(start) :]
    return dict(re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", section[: section.index("</section>")]))


UNDER_WAY = {"APPROVED", "PROCESSING"}


def pay_with_fees(world: World) -> Any:
    """A payout of two payments, voted for as its mandate asks, and paid."""
    items = [{**ITEM, "amount": amount} for amount in (1000, 250.5)]
    body = {"name": "Drivers", "org_wallet_ref": "1", "items": items}
    batch = service_requests.ask(world, "Ada", "POST", "/payments", body)
    service_requests.ask(world, "Ada", "PATCH", f"/payments/{batch['batch_no']}/initiate")
    for one in world.upstream("/approvals/all", ref=batch["batch_no"])["docs"]:
        for who in ("Apollo", "Zawadi")[: one["approvals_required"]]:
            service_requests.ask(world, who, "POST", "/approvals/approve", {"approval_id": one["_id"]})
    # The service's own worker may be at it as well: paid is what both of them have finished.
    ends = time.monotonic() + 60
    while (paid := payout_of(world, batch["batch_no"]))["status"] in UNDER_WAY and time.monotonic() < ends:
        world.sandbox("settle")
    return paid


def payout_of(world: World, batch_no: str) -> Any:
    """The payout as the service has it now."""
    return world.upstream("/payments", batch_no=batch_no)["docs"][0]


@pytest.fixture
def busy(new_world: Callable[..., World]) -> World:
    """Top-ups, spending, a refund, a fee, an exchange, an employee's funds and a transfer, in three months."""
    world = new_world(synced=False)
    service_requests.ask(world, "Ada", "POST", "/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    now = local(timezone.now(), world.business).date()
    world.sandbox("top-up", org_wallet_ref="1", amount=1234.5)
    for back in (0, 32, 62):
        when = str(now - timedelta(days=back))
        sums = {"org_wallet_ref": "1", "value_date": when, "amount": 100 + back}
        made = service_requests.ask(
            world, "Ada", "POST", "/transactions/new", {"type": "TOPUP", "counterparty": "Acme", **sums}
        )
        service_requests.ask(world, "Apollo", "PUT", f"/transactions/{made['_id']}/approve")
        made = service_requests.ask(
            world, "Ada", "POST", "/transactions/new", {"type": "EXPENSE", "counterparty": "Shop", **sums}
        )
        service_requests.ask(world, "Apollo", "PUT", f"/transactions/{made['_id']}/approve")
    own = {"type": "IFT", "org_wallet_ref": "1", "to_org_wallet_ref": "3", "amount": 77}
    made = service_requests.ask(world, "Ada", "POST", "/transactions/new", own)
    service_requests.ask(world, "Apollo", "PUT", f"/transactions/{made['_id']}/approve")
    spent = world.sandbox("expenses", count=4)["expenses"]
    world.sandbox("refund", expense_id=spent[0]["_id"])
    funds = {"employee_id": world.employee("Carla")["employee_id"], "amount": 500, "org_wallet_ref": "1"}
    service_requests.ask(world, "Apollo", "POST", "/employees/allocate-funds", funds)
    quote = service_requests.ask(
        world, "Apollo", "POST", "/fx/conversion-rate", {"from": "USD", "to": "KES", "amount": 10}
    )
    exchange = {"quote_id": quote["quote_id"], "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"}
    service_requests.ask(world, "Apollo", "POST", "/fx/transfer", exchange)
    paid = pay_with_fees(world)
    assert (paid["status"], paid["total_fees_minor"]) == ("COMPLETED", 2600)
    world.sync()
    return world


def months_of(world: World) -> list[tuple[date, date]]:
    """This month and the two before it, each from its first day to its last."""
    last = local(timezone.now(), world.business).date().replace(day=1)
    found: list[tuple[date, date]] = []
    for _ in range(3):
        after = (last + timedelta(days=32)).replace(day=1)
        found.insert(0, (last, after - timedelta(days=1)))
        last = (last - timedelta(days=1)).replace(day=1)
    return found


def test_in_and_out_of_a_month_are_the_same_on_home_in_cashflow_and_in_movement(busy: World) -> None:
    months = months_of(busy)
    home, moved = page(busy, "home/movement/"), page(busy, "treasury/movement/")
    cash = page(busy, f"treasury/cashflow/?first={months[0][0]}")
    by_month = [page(busy, f"treasury/movement/?first={first}&last={last}") for first, last in months]
    moving = 0
    for currency in ("KES", "USD"):
        shown = [row[:3] for row in rows(home, f"{currency} by month")[1:]]
        assert [row[0] for row in shown] == [f"{first:%b %Y}" for first, _ in months]
        assert [[row[0], row[2], row[3]] for row in rows(cash, f"Cashflow in {currency}")[1:-1]] == shown
        section = moved[moved.index(f'id="moved-{currency}"') :]
        assert [row[:3] for row in rows(section, "Last three months")][-3:] == shown
        for row, alone in zip(shown, by_month, strict=True):
            said = tiles(alone, f'id="moved-{currency}"')
            assert [said["In"], said["Out"]] == row[1:]
            moving += any(map(exact, row[1:]))
        together = rows(cash, f"Cashflow in {currency}")[-1]
        assert exact(together[2]) == sum(exact(row[1]) for row in shown)
        assert exact(together[3]) == sum(exact(row[2]) for row in shown)
        # Three months are what the movement sums where no days are named.
        whole = tiles(moved, f'id="moved-{currency}"')
        assert (whole["In"], whole["Out"]) == (together[2], together[3])
    assert moving >= 3


def test_the_fees_of_the_tile_are_those_of_the_table_for_every_range(busy: World) -> None:
    charged = Decimal(0)
    for query in ("", *(f"?first={first}&last={last}" for first, last in months_of(busy))):
        shown = page(busy, f"treasury/movement/{query}")
        listed: dict[str, Decimal] = {}
        if "Fees by type" in shown:
            lines = rows(shown, "Fees by type")[1:]
            for line in lines:
                if line[0] != "Total":
                    currency, amount = line[3].split(" ")
                    listed[currency] = listed.get(currency, Decimal(0)) + exact(amount)
            summed = {line[3].split(" ")[0]: exact(line[3].split(" ")[1]) for line in lines if line[0] == "Total"}
            assert summed == listed
        for currency in ("KES", "USD"):
            assert exact(tiles(shown, f'id="moved-{currency}"')["Fees"]) == listed.get(currency, 0)
        charged += listed.get("KES", Decimal(0))
    assert charged > 0
    assert exact(tiles(page(busy, "treasury/movement/"), 'id="moved-KES"')["FX spread"]) > 0


def ranges(world: World) -> list[tuple[date, date]]:
    """Each month, all three, and from the middle one on."""
    months = months_of(world)
    return [*months, (months[0][0], months[2][1]), (months[1][0], months[2][1])]


def statement(world: World, wallet: Wallet, first: date, last: date) -> tuple[Decimal, Decimal | None]:
    """What the lines of the wallet's page come to, and the balance after the newest of them."""
    shown = page(world, f"treasury/{wallet.remote_id}/?first={first}&last={last}")
    assert "Pages of the statement" not in shown
    if "Entries of the statement" not in shown:
        return Decimal(0), None
    lines = rows(shown, "Entries of the statement")[1:]
    moved = sum((exact(line[3] or "0") - exact(line[4] or "0") for line in lines), Decimal(0))
    return moved, exact(lines[0][5])


def test_a_wallets_statement_and_its_cashflow_agree_and_the_wallets_are_the_business_for_every_range(
    busy: World,
) -> None:
    wallets = list(Wallet.objects.filter(business=busy.business).order_by("org_wallet_ref"))
    assert len(wallets) == 3
    transfers = set()
    for first, last in ranges(busy):
        query = f"first={first}&last={last}"
        whole = page(busy, f"treasury/cashflow/?{query}")
        summed: dict[str, list[Decimal]] = {}
        for wallet in wallets:
            shown = page(busy, f"treasury/cashflow/?{query}&wallet={wallet.org_wallet_ref}")
            for row in rows(shown, f"Cashflow in {wallet.currency}")[1:]:
                opening, came_in, went_out, moved, closing = map(exact, row[1:])
                assert opening + came_in - went_out + moved == closing
                transfers.add(moved)
            lines, balance = statement(busy, wallet, first, last)
            assert lines == closing - opening
            assert balance in (closing, None)
            before = summed.get(wallet.currency, [Decimal(0)] * 5)
            together = (opening, came_in, went_out, moved, closing)
            summed[wallet.currency] = [one + more for one, more in zip(before, together, strict=True)]
        for currency, sums in summed.items():
            assert [exact(cell) for cell in rows(whole, f"Cashflow in {currency}")[-1][1:]] == sums
    assert min(transfers) < 0 < max(transfers)


def test_what_there_is_is_the_same_on_home_in_the_treasury_and_where_the_forecast_begins(world: World) -> None:
    """More wallets than Home lists, and one that is suspended: no sum leaves one out."""
    for number in range(13):
        service_requests.ask(world, "Ada", "POST", "/accounts", {"currency": "KES", "walletType": f"SUB:team-{number}"})
    for ref in ("3", "9", "15"):
        world.sandbox("top-up", org_wallet_ref=ref, amount=100.25)
    world.sync()
    home, treasury, forecast = (page(world, path) for path in ("home/cash/", "treasury/", "treasury/forecast/"))
    held = world.upstream("/accounts?limit=100")["docs"]
    for currency in ("KES", "USD"):
        minor = sum(one["balances"]["available_minor"] for one in held if one["currency"] == currency)
        said = text(minor, currency).replace("\xa0", " ")
        assert re.search(rf"<dt>Available[^<]*</dt>\s*<dd>{re.escape(said)}</dd>", home)
        assert re.search(rf'id="in-{currency}".*?<td class="num">{re.escape(said)}</td>', treasury, re.DOTALL)
        assert tiles(forecast, f'id="cash-{currency}"')["Available now"] == said


def due_at(days: float) -> Any:
    return timezone.now() + timedelta(days=days)


def test_payments_due_are_the_same_on_home_and_in_the_forecast(house: House) -> None:
    """With a day and without one, approved or not, reserved or not, each once, with their fees."""
    house.payment(title="Rent", amount_minor=100_000, due_at=due_at(2))
    house.payment(title="Late", amount_minor=50_000, due_at=due_at(-3))
    house.payment(title="Far away", amount_minor=7_000, due_at=due_at(9))
    house.payment(title="Without a day", amount_minor=3_300, currency="USD")
    house.payment(kind="BULK_PAYOUT", ref="PO-1", amount_minor=400, due_at=due_at(1))
    house.payment(kind="FX_TRANSFER", ref="FX-1", amount_minor=99_900, org_wallet_ref="1", due_at=due_at(1))
    values = {"kind": "payout", "voted": True, "holder_id": "", "team_id": "", "amount_minor": 83_324_650}
    house.request(**values | {"ref": "PO-1", "status": "PENDING_APPROVAL", "payload": {"total_fees_minor": 50}})
    house.request(**values | {"ref": "PO-2", "status": "APPROVED", "payload": {"total_fees_minor": 50}})
    house.request(**values | {"ref": "PO-3", "status": "SCHEDULED", "payload": {"scheduled_for": str(due_at(3))[:10]}})
    house.request(**values | {"ref": "PO-4", "status": "PROCESSING"})
    house.request(**values | {"ref": "PO-5", "status": "DRAFT"})
    home = page(house, "home/due/")
    sums = {
        name: re.search(rf'id="{name}-sums">(.*?)</span>', home)[1].split(" and ")  # type: ignore[index]
        for name in ("due", "undated")
    }
    assert sums == {"due": ["KES 834,746.50"], "undated": ["KES 1,666,494.00", "USD 33.00"]}
    assert '<p class="big">3</p>' in home
    for days in (14, 30, 90):
        forecast = page(house, f"treasury/forecast/?days={days}")
        for currency in ("KES", "USD"):
            said = tiles(forecast, f'id="cash-{currency}"')
            for name, label in (("due", "Payments due within 7 days"), ("undated", "Payments without a date")):
                assert [said.get(label)] == ([one for one in sums[name] if one.startswith(currency)] or [None])


def test_nothing_is_due_only_where_the_forecast_expects_no_payment(house: House) -> None:
    assert "Nothing due" in page(house, "home/due/")
    house.request(kind="payout", voted=True, ref="PO-2", status="APPROVED", holder_id="", team_id="", amount_minor=5)
    home = page(house, "home/due/")
    assert "Nothing due" not in home
    assert "1 without a date" in home
    assert "no date set, so it counts today" in home


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        (
            ("home/movement/", "treasury/cashflow/", "treasury/movement/"),
            "In: top-ups less reversals. Out: expenses",
        ),
        (("treasury/movement/",), "Fees that wallets paid on top of an amount, less fees refunded."),
        (("home/cash/",), "Available: posted less on hold."),
        (("home/spending/", "expenses/reports/"), "Expenses you have access to, by purchase date, without fees"),
        (("home/due/",), "Payments not sent yet, with their fees"),
    ],
)
def test_one_sentence_says_what_is_counted_wherever_a_figure_is_shown(
    world: World, paths: tuple[str, ...], sentence: str
) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=10)
    world.sync()
    for path in paths:
        assert sentence in page(world, path), path
