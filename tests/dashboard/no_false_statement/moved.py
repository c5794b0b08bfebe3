"""What pages send by themselves that moves money: exchange, transfers between wallets, investments."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any, ClassVar

from dashboard.mirror.models import Wallet
from tests.dashboard.investments.test_investments import held
from tests.dashboard.markup import markup_of
from tests.dashboard.no_false_statement.sent import Sent
from tests.dashboard.no_false_statement.stage import Stage
from tests.dashboard.treasury.test_exchange import PAIR, form_of
from tests.dashboard.treasury.test_transfers import PAGE, has, second
from tests.dashboard.treasury.test_wallets import first

amounts = itertools.count(1)


class Exchange(Sent):
    person, path, operation = "Apollo", "/fx/transfer", "transfer_fx"
    # In the paying wallet's currency: each time another amount, so that what left it tells which exchange it was.
    pair: ClassVar[str] = PAIR
    currency: ClassVar[str] = "USD"

    def begin(self) -> None:
        self.minor = 100 + next(amounts)
        self.world.sandbox("top-up", org_wallet_ref=self.paying.org_wallet_ref, amount=100)
        amount = Decimal(self.minor) / 100
        page = markup_of(self.stage.browser(self.person).get(self.world.address(f"{self.pair}&amount={amount}")))
        self.address, self.form = "treasury/fx/transfer/", form_of(page) | self.sides()
        self.key = self.form["key"]
        self.had = has(self.world, self.paying)

    def sides(self) -> dict[str, str]:
        return {}

    @property
    def paying(self) -> Wallet:
        return first(self.world, self.currency)

    def carried_out(self) -> dict[str, int]:
        left, rest = divmod(self.had - has(self.world, self.paying), self.minor)
        assert rest == 0
        return {"": left}


class Transfer(Exchange):
    pair, currency = PAGE, "KES"

    def sides(self) -> dict[str, str]:
        main, other = self.wallets()
        return {"from_wallet": main.remote_id, "to_wallet": other.remote_id}

    def wallets(self) -> tuple[Wallet, Wallet]:
        rows = Wallet.objects.filter(business=self.world.business, currency="KES", status="ACTIVE")
        if rows.exclude(wallet_type="INVESTMENT").count() < 2:
            second(self.world)
        main, other = rows.exclude(wallet_type="INVESTMENT").order_by("org_wallet_ref")[:2]
        return main, other

    @property
    def paying(self) -> Wallet:
        return self.wallets()[0]


class TopUpFund(Sent):
    person, path, operation = "Apollo", "/investments/accounts/", "top_up_investment"
    kind: ClassVar[str] = "TOP_UP"
    verb: ClassVar[str] = "top-up"

    def begin(self) -> None:
        self.thing = fund_of(self.stage)
        self.amount = 100 + next(amounts)
        self.world.sandbox("top-up", org_wallet_ref="1", amount=1000)
        self.address = f"investments/{self.thing.remote_id}/{self.verb}/"
        self.form = self.given()
        self.had = self.movements()

    def given(self) -> dict[str, str]:
        return {"amount": str(self.amount), "wallet": "1"}

    def movements(self) -> set[str]:
        # The last ones alone: where these are many, a new one takes the place of an old one.
        rows = self.world.upstream(f"/investments/accounts/{self.thing.remote_id}")["movements"]
        return {one["_id"] for one in rows if one["kind"] == self.kind}

    def carried_out(self) -> dict[str, int]:
        return {self.thing.remote_id: len(self.movements() - self.had)}


class WithdrawFromFund(TopUpFund):
    operation, kind, verb = "withdraw_investment", "WITHDRAW", "withdraw"

    def given(self) -> dict[str, str]:
        return {"measure": "amount", "amount": "1000", "wallet": ""}


funds: dict[int, Any] = {}


def fund_of(stage: Stage) -> Any:
    """The stage's one fund account, with units in it."""
    world = stage.world
    if world.business.pk not in funds:
        world.sandbox("top-up", org_wallet_ref="1", amount=50_000_000)
        found = funds[world.business.pk] = held(world)
        path = f"/investments/accounts/{found.remote_id}"
        apollo = {"X-Acting-Employee": world.employee("Apollo")["employee_id"]}
        for verb in ("top-up", "invest"):
            body = {"amount": 1_000_000} | ({"org_wallet_ref": "1"} if verb == "top-up" else {})
            world.send("POST", f"{path}/{verb}", body, headers=apollo)
        world.sandbox("settle")
    return funds[world.business.pk]


MOVED = (Exchange, Transfer, TopUpFund, WithdrawFromFund)
