"""What accounts moved day by day, added up behind the postings (service/accounting/day_sums.py)."""

from django.db import models

from service.businesses.models import Business
from service.ledger.models import LedgerAccount


class AccountDay(models.Model):
    """What the entries of an account that belong to one day come to, as far as they were added up (SummedAccount): how many they
    are, what they took and gave in minor units, and between which numbers of the account they stand."""

    pk = models.CompositePrimaryKey("business_id", "account_id", "effective_on")
    business = models.ForeignKey(
        Business, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    account = models.ForeignKey(
        LedgerAccount, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    effective_on = models.DateField()
    entries = models.BigIntegerField()
    debit = models.BigIntegerField()
    credit = models.BigIntegerField()
    first_seq = models.BigIntegerField()
    last_seq = models.BigIntegerField()

    def __str__(self) -> str:
        return f"#{self.account_id} on {self.effective_on}: {self.entries}"


class SummedAccount(models.Model):
    """Up to which entry the days of an account were added up: those behind it have to be read one by one."""

    pk = models.CompositePrimaryKey("business_id", "account_id")
    business = models.ForeignKey(
        Business, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    account = models.ForeignKey(
        LedgerAccount, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    seq = models.BigIntegerField()

    def __str__(self) -> str:
        return f"#{self.account_id} up to {self.seq}"
