"""`manage.py service check_ledger`: proves the ledger's invariants, or names the first row that breaks each."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from service.ledger.invariants import breaches


class Command(BaseCommand):
    """Exit code 1 where an invariant does not hold."""

    help = "Checks the invariants of the ledger and names the first row that breaks one."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--unsealed`: do not mind transactions that wait for their seal."""
        parser.add_argument("--unsealed", action="store_true", help="no sealer runs: do not mind unsealed transactions")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints every breach, or that all holds."""
        broken = breaches(sealed=not options["unsealed"])
        for breach in broken:
            self.stdout.write(f"broken: ({breach.number}) {breach.invariant}: {breach.row}")
        if broken:
            raise CommandError("The ledger does not hold.", returncode=1)
        self.stdout.write("The ledger holds.")
