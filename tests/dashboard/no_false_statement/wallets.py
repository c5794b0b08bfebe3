"""What is done to wallets and fund accounts, other than moving money between two of them."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, FundAccount, Origin, Wallet
from tests.dashboard.no_false_statement.moved import TopUpFund, fund_of
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent

# A currency that no other act pays in: what is opened here is chosen by none of them.
OTHER = "UGX"


class OpenWallet(Made):
    path, operation, address = "/accounts", "open_wallet", "treasury/new/"

    def filled(self) -> dict[str, Any]:
        return {"currency": OTHER, "wallet_type": "SUB", "purpose": f"p{uuid.uuid4().hex[:10]}", "name": self.name}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/accounts", limit=1000)["docs"])


class OpenWalletIn(OpenWallet):
    operation, address = "create_account", f"treasury/currencies/{OTHER}/open/"

    def begin(self) -> None:
        have = {row["code"] for row in self.world.upstream("/accounts/business-currencies")["docs"]}
        if OTHER not in have:
            self.world.send("POST", "/accounts/create-new-currency", {"currency": OTHER})
        super().begin()


class AddCurrency(Made):
    path, operation, address = "/accounts", "create_currency", "treasury/currencies/add/"

    def filled(self) -> dict[str, Any]:
        have = {row["code"] for row in self.rows()}
        self.name = next(code for code in CURRENCIES if code not in have)
        return {"currency": self.name}

    field: ClassVar[str] = "code"

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/accounts/business-currencies")["docs"])


class OfWallet(Changed):
    """Something done to a wallet that is empty."""

    path, status, verb = "/accounts/", "", ""
    thing: Wallet

    def make(self) -> Wallet:
        body = {"currency": OTHER, "walletType": f"SUB:p{uuid.uuid4().hex[:10]}", "name": self.name}
        made = self.world.send("POST", "/accounts/add-new-account", body)
        upsert("wallet", self.world.business, [made], Origin.POLL)
        return Wallet.objects.get(business=self.world.business, remote_id=made["_id"])

    def open(self) -> None:
        self.address, self.form = f"treasury/{self.thing.remote_id}/{self.verb}/", {}

    def is_done(self) -> bool:
        return bool(self.there()["status"] == self.status)

    def there(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/accounts/{self.thing.remote_id}"))


class SuspendWallet(OfWallet):
    operation, status, verb = "suspend_account", "SUSPENDED", "suspend"


class ActivateWallet(OfWallet):
    operation, status, verb = "activate_account", "ACTIVE", "activate"

    def make(self) -> Wallet:
        self.thing = super().make()
        there = self.world.send("PUT", f"/accounts/{self.thing.remote_id}/suspend")
        upsert("wallet", self.world.business, [there], Origin.POLL)
        self.thing.refresh_from_db()
        return self.thing


class RenameWallet(OfWallet):
    operation, verb = "update_account", "rename"

    def open(self) -> None:
        super().open()
        self.form = {"rename-name": f"{self.name} 2"}

    def is_done(self) -> bool:
        return bool(self.there()["name"] == f"{self.name} 2")


class CloseWallet(OfWallet):
    operation, status, verb = "update_account", "CLOSED", "close"


class Invest(TopUpFund):
    operation, kind, verb = "invest", "INVEST", "invest"

    def given(self) -> dict[str, str]:
        return {"amount": "1000", "wallet": "1"}


class OptIn(Sent):
    """A fund can be asked for once: what an earlier time of this asked for is refused first."""

    path, operation, address = "/investments/opt-in", "opt_in_to_fund", "investments/opt-in/"
    title: ClassVar[str] = "Reserves, asked for by a page"

    def begin(self) -> None:
        fund_of(self.stage)
        apollo = {"X-Acting-Employee": self.world.employee("Apollo")["employee_id"]}
        asked = ApprovalRequest.objects.filter(
            business=self.world.business, kind="fund_opt_in", payload__note=self.title
        )
        for ref in asked.values_list("ref", flat=True) if self.waiting() else ():
            if self.world.upstream(f"/investments/opt-in/{ref}")["status"] == "PENDING":
                self.world.send("POST", f"/investments/opt-in/{ref}/reject", {"reason": "Not now"}, apollo)
        fund = [row for row in self.world.upstream("/investments/funds")["docs"] if row["currency"] == "KES"][1]
        self.form = {"fund_id": fund["_id"], "note": self.title}

    def waiting(self) -> int:
        rows = self.world.upstream("/investments/accounts", limit=200)["docs"]
        return sum(row["status"] == "PENDING_OPT_IN" for row in rows)

    def carried_out(self) -> dict[str, int]:
        return {"": self.waiting()}


class ReplaceOperators(Changed):
    path, operation, person = "/investments/accounts/", "replace_treasury_operators", "Ada"
    thing: FundAccount

    def make(self) -> FundAccount:
        found: FundAccount = fund_of(self.stage)
        return found

    def there(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/investments/accounts/{self.thing.remote_id}/permissions"))

    def open(self) -> None:
        self.version = self.there()["version"]
        self.seats = [self.world.employee(name)["employee_id"] for name in ("Rita", "Rex")]
        has = {row["employee_id"] for row in self.there()["operators"]}
        named = [one for one in self.seats if one not in has] or self.seats[:1]
        self.form = {"version": self.version, "invest": named[:1]}
        self.address = f"investments/{self.thing.remote_id}/operators/"

    def is_done(self) -> int:
        return int(self.there()["version"]) - int(self.version)


class ConfirmOperator(ReplaceOperators):
    operation, person = "confirm_treasury_operator", "Abel"

    def open(self) -> None:
        super().open()
        path, ada = f"/investments/accounts/{self.thing.remote_id}/permissions", self.world.employee("Ada")
        seat = {"employee_id": self.form["invest"][0], "can_invest": True, "can_withdraw": False}
        headers = {"X-Acting-Employee": ada["employee_id"], "If-Match": str(self.version)}
        self.world.send("PUT", path, {"operators": [seat]}, headers)
        self.version = self.there()["version"]
        self.form = {"version": self.version}
        self.address = f"investments/{self.thing.remote_id}/operators/{seat['employee_id']}/confirm/"

    def is_done(self) -> int:
        return sum(row["status"] == "ACTIVE" for row in self.there()["operators"])


CURRENCIES = (
    "EUR", "GBP", "TZS", "RWF", "ZAR", "NGN", "GHS", "ETB", "XOF", "XAF", "EGP", "MAD", "CHF", "JPY", "CNY", "INR", "AED",
    "SEK", "NOK", "DKK", "CAD", "AUD", "NZD", "SGD", "HKD", "ZMW", "BWP", "MWK", "MZN", "BIF", "SOS", "SDG", "TND", "DZD",
)  # fmt: skip
WALLETS: tuple[type[Sent], ...] = (
    OpenWallet, OpenWalletIn, AddCurrency, SuspendWallet, ActivateWallet, RenameWallet, CloseWallet, Invest, OptIn,
    ReplaceOperators, ConfirmOperator,
)  # fmt: skip
