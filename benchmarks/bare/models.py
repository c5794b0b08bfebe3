"""The same table that the dashboard reads, as a plain model of the columns that are printed."""

from django.db import models


class Expense(models.Model):
    """An expense with the eight columns of the reference."""

    business_id = models.BigIntegerField()
    transaction_date = models.DateTimeField()
    first_seen = models.DateTimeField()
    status = models.CharField(max_length=20)
    merchant = models.CharField(max_length=300)
    employee_name = models.CharField(max_length=200)
    team_name = models.CharField(max_length=200)
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    tombstoned_at = models.DateTimeField(null=True)

    class Meta:
        managed = False
        db_table = "mirror_expense"

    def __str__(self) -> str:
        return self.merchant
