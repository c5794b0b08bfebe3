"""CPU of a page of the general ledger, read live over both programs, of an account of 1,000,000 entries, against a bare Django page.

The entries are of the last ninety days, so that a month has a third of them, and added up by days, as the worker does every five
minutes. CPU is that of both programs' web servers and of PostgreSQL's, in turn with the bare page. The page has 50 entries, the bare
one 50 rows of one query. `--entries` says how many.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import expenses_list
from approvals_page import Server, beside_bare, fill, open_businesses
from measure import ROOT, House, cpu_seconds, house, in_turn, report

GOAL, REQUESTS = 1.0, 30
BOOKS = """
import json, random
from datetime import timedelta
from service.accounting import day_sums
from service.accounts.wallets import wallet_by_ref
from service.ledger.chart import system_account
from service.ledger.post import Leg, post, today
from service.sandbox.businesses import BusinessSpec, open_business
made = open_business(BusinessSpec(name="Many"))
business, wallet, chance = made.business, wallet_by_ref(made.business, "1"), random.Random(7)
bank, last = system_account(business, "BANK_FLOAT", wallet.currency), today(business)
postings = {entries} // 200
for number in range(postings):
    amounts = [chance.randrange(100, 500_000) for _ in range(199)]
    legs = [*(Leg(wallet.ledger_account_id, amount) for amount in amounts), Leg(bank.pk, -sum(amounts))]
    post(business, f"bench:P{{number:06}}", "TOPUP", legs, "Paid in", last - timedelta(days=89 - number * 90 // postings))
day_sums.add_up()
month = (last.replace(day=1) - timedelta(days=1))
approver = next(person.id for person in made.employees if person.role == "APPROVER")
opened = {{"business": business.id, "client": made.client.client_id, "secret": made.client_secret, "approver": approver}}
print(json.dumps(opened | {{"account": wallet.ledger_account_id, "month": f"{{month:%Y-%m}}"}}))
"""
CONNECT = """
from dashboard.access.models import Business, Membership
from dashboard.access.secrets import seal
from dashboard.client.models import ServiceAccount
# The service knows its own people alone.
Membership.objects.filter(business__slug="many").update(employee_id="{approver}")
ServiceAccount.objects.create(
    business=Business.objects.get(slug="many"), base_url="http://localhost:{port}/v2", remote_business_id="{business}",
    client_id="{client}", client_secret_sealed=seal("{secret}"),
)
"""
ROW = 'data-of="Balance"'


def shell(made: House, script: str, *program: str) -> str:
    """What a script prints in the shell of a program."""
    env = made.program_env(program[0] if program else "dashboard") | {
        "DATABASE_STATEMENT_S": "600",
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "manage.py", *program, "shell", "--no-imports", "-c", script]
    out = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert out.returncode == 0, out.stderr
    return out.stdout


class BothPrograms:
    """The dashboard's server and the service's, counted together with PostgreSQL's processes."""

    def __init__(self, dashboard: Server, service: expenses_list.Server, headers: dict[str, str]) -> None:
        self.dashboard, self.service, self.headers = dashboard, service, headers

    def cpu(self, path: str) -> Callable[[], float]:
        """CPU seconds of one page, after a few that are not counted."""
        pids = (self.dashboard.process.pid, self.service.process.pid, self.dashboard.postgres)

        def run() -> float:
            connection = http.client.HTTPConnection("localhost", self.dashboard.port, timeout=60)
            for number in range(REQUESTS + 3):
                if number == 3:
                    before = cpu_seconds(*pids)
                connection.request("GET", path, headers=self.headers)
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200, (answer.status, path, body[:300])
            connection.close()
            return (cpu_seconds(*pids) - before) / REQUESTS

        return run


def pages(both: BothPrograms, opened: dict[str, str]) -> dict[str, str]:
    """The pages by what they are called: the first of an account, the next one, one in the middle of the month, the account with
    few entries, and the trial balance that leads to them."""
    ledger = f"/many/accounting/{opened['month']}/ledger/?account={opened['account']}"
    shown = both.dashboard.page(ledger, both.headers)
    assert shown.count(ROW) == 50, shown.count(ROW)
    following = re.search(r'href="\?([^"]*after=[^"]+)"', shown)
    assert following
    return {
        "the first page of an account": ledger,
        "the next one": f"{ledger.split('?')[0]}?{following[1].replace('&amp;', '&')}",
        "from the middle of the month": f"{ledger}&since={opened['month']}-15",
    }


def main() -> int:
    """Prints a ratio for each page; the exit code says whether all goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    options, rounds = parser.parse_args(), int(os.environ.get("ROUNDS", "3"))
    with house(durable=False) as made:
        opened = json.loads(shell(made, BOOKS.format(entries=options.entries), "service").strip().splitlines()[-1])
        person = open_businesses(made)["many"]
        fill(made, person["business"], 20_000, 10_000)
        service = expenses_list.serve(made, "config.wsgi:service", "config.settings.service", {"Host": "localhost"})
        shell(made, CONNECT.format(port=service.port, **opened))
        cookies = "; ".join(f"{name}={value}" for name, value in person["cookies"].items())
        try:
            with beside_bare(made) as (ours, bare):
                both = BothPrograms(ours, service, {"Cookie": cookies, "Host": "localhost"})
                reference = partial(
                    bare.cpu_per_page, f"/?business={person['business']}", {"Host": "localhost"}, REQUESTS
                )
                good = True
                for name, path in pages(both, opened).items():
                    print(f"{name}: {both.cpu(path)() * 1000:.1f} ms of CPU; the bare page {reference() * 1000:.1f} ms")
                    good &= report(
                        f"{name} / bare page", in_turn(both.cpu(path), reference, rounds), GOAL, at_most=True
                    )
                return 0 if good else 1
        finally:
            service.process.terminate()
            service.process.wait(20)


if __name__ == "__main__":
    sys.exit(main())
