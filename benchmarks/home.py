"""Home's widgets that ask the finance service, each against the slowest of its calls made alone by the same client.

Through the whole dashboard, as the page asks for them. The finance service is the small one of `wallets.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from measure import house, in_turn, report
from wallets import DELAYS, admin_at, timed, upstream

ROUNDS = 15


def main() -> int:
    """Prints a ratio for each widget; the exit code says whether all goals are met."""
    with house("dashboard") as made, upstream() as address:
        actor = admin_at(made, address)
        from django.test import Client
        from django.utils import timezone

        from dashboard import operations
        from dashboard.client.reads import read_live
        from dashboard.mirror.models import Wallet

        now = timezone.now()
        for wallet in DELAYS:
            Wallet.objects.create(
                business=actor.business, remote_id=wallet, remote_version=1, payload={}, payload_hash=wallet, source="POLL",
                first_seen=now, last_seen=now, org_wallet_ref=wallet, name=wallet, currency="KES",
                wallet_type="MAIN", status="ACTIVE",
            )  # fmt: skip
        browser = Client(headers={"HX-Request": "true", "Host": "localhost"})
        assert actor.user is not None
        browser.force_login(actor.user)

        def widget(name: str, told: str) -> Callable[[], float]:
            def once() -> float:
                began = time.perf_counter()
                answer = browser.get(f"/bench/home/{name}/")
                seconds = time.perf_counter() - began
                assert answer.status_code == 200, (name, answer.status_code)
                assert told in answer.content.decode(), answer.content.decode()
                return seconds

            return once

        def slowest_balance() -> float:
            return max(timed(partial(balance, wallet)) for wallet in DELAYS)

        def balance(wallet: str) -> Any:
            return read_live(actor, operations.READ_ACCOUNT_BALANCE, path={"id": wallet})

        def movement() -> float:
            return timed(lambda: read_live(actor, operations.READ_MONEY_MOVEMENT))

        cash, moved = widget("cash", "7,203.00"), widget("movement", "1,200.50")
        cash(), moved(), slowest_balance(), movement()
        good = report("cash / its slowest wallet alone", in_turn(cash, slowest_balance, ROUNDS), 1.15, at_most=True)
        good &= report("money in and out / its call alone", in_turn(moved, movement, ROUNDS), 1.15, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
