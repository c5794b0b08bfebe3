"""`wallet.balance_changed`: follows every posting, hold and release that changes a wallet, whoever made it (decisions
F.7). At most once a second per wallet, with what it has by then.

The ledger notes whose balance changed (service/ledger/changes.sql); the relay asks here before it numbers events.
Wallets of employees, cards and funds are wallets, too: their `walletType` says so, and they have no `org_wallet_ref`, as
they are none of GET /accounts. What a sandbox business begins with is no news.
"""

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from service.accounts import serializers
from service.accounts.models import Wallet
from service.accounts.wallets import OPENING_REF
from service.events import outbox
from service.events.models import Event
from service.ledger.models import LedgerEntry

KIND = "wallet.balance_changed"


def has_changed() -> bool:
    """Whether any balance has changed since the events of balances were last written."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_has_changed()")
        return bool(cursor.fetchone()[0])


def record_balance_changes() -> int:
    """Writes the events of the wallets that changed since it was last called; how many."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_take_changed()")
            changed = [row[0] for row in cursor.fetchall()]
        if not changed:
            return 0
        wallets = Wallet.objects.filter(ledger_account_id__in=changed)
        begun = Q(ledger_account__balance__seq=1, ledger_account__balance__holds=0)
        opened = LedgerEntry.objects.filter(
            account=OuterRef("ledger_account_id"), seq=1, transaction__external_ref=OPENING_REF
        )
        rows = wallets.exclude(begun & Exists(opened)).select_related("ledger_account__balance").order_by("id")
        events = [outbox.build_event(row.business_id, KIND, serializers.wallet(row)) for row in rows]
        return len(Event.objects.bulk_create(events, batch_size=2000))
