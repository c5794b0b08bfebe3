"""`manage.py service backfill_transactions`: writes down what the ledger held before there was a book of transactions."""

from typing import Any

from django.core.management.base import BaseCommand

from service.businesses.models import Business
from service.transactions.backfill import backfill


class Command(BaseCommand):
    """Safe to repeat: what is written already is left alone."""

    help = "Writes transactions for what the ledger of each business holds already."

    def handle(self, *args: Any, **options: Any) -> None:
        """One business after the other, each in a transaction of its own."""
        for business in Business.objects.order_by("id"):
            self.stdout.write(f"{business.name}: {backfill(business)} transactions written")
