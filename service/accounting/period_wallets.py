"""What bank and books lack of each other in a month, by wallet: entries that no line belongs to, and the statement that proves
the month, or does not."""

from typing import TypedDict

from service.accounting.held_lines import in_order
from service.accounting.models import BankStatement
from service.accounting.periods import Month, month
from service.accounting.proofs import proof_of
from service.accounting.reconciliation import first_day, unmatched_entries
from service.accounts.wallets import Wallet
from service.auth import Caller


class PeriodWalletShape(TypedDict):
    """A wallet in a month: the entries of it that no bank line belongs to, and the last statement of it, None where there is
    none; `proven` only where its proof holds."""

    org_wallet_ref: str
    unmatched_entries: int
    statement_id: str | None
    proven: bool


def period_wallets(caller: Caller, name: str) -> list[PeriodWalletShape]:
    """The wallets that a statement was imported for up to the month's last day, by their reference; 404 for what is no month. Of a
    wallet without a statement nothing is known: it is not among them."""
    chosen = month(name)
    begun = BankStatement.objects.filter(business_id=caller.business.id, first_day__lte=chosen.last)
    owners = Wallet.objects.filter(id__in=begun.values("wallet")).order_by("org_wallet_ref")
    return [_in_month(owner, chosen) for owner in owners]


def _in_month(owner: Wallet, chosen: Month) -> PeriodWalletShape:
    begun = first_day(owner)
    entries = unmatched_entries(owner, max(chosen.first, begun) if begun else chosen.first, chosen.last)
    statement = _proving(owner, chosen)
    is_proven = statement is not None and statement.closing_minor is not None and proof_of(statement).is_proven
    return {
        "org_wallet_ref": owner.org_wallet_ref,
        "unmatched_entries": entries.order_by().count(),
        "statement_id": statement.id if statement else None,
        "proven": is_proven,
    }


def _proving(owner: Wallet, chosen: Month) -> BankStatement | None:
    """The last of the statements that end in the month, else the first that goes on beyond it; one without balances, which
    proves nothing, only where none has any."""
    with_balances = [row for row in in_order(owner) if row.last_day >= chosen.first and row.first_day <= chosen.last]
    ending = [row for row in with_balances if row.last_day <= chosen.last]
    if with_balances:
        return ending[-1] if ending else with_balances[0]
    rows = BankStatement.objects.filter(wallet=owner, last_day__gte=chosen.first, first_day__lte=chosen.last)
    return rows.order_by("-last_day", "-created_at").first()
