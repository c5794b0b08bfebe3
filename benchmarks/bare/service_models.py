"""The service's own tables of expenses, as plain models of the columns that a list of them shows."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Employee(models.Model):
    """Who spent."""

    id = models.CharField(primary_key=True, max_length=24)
    name = models.CharField(max_length=150)

    class Meta:
        managed = False
        db_table = "employees_employee"

    def __str__(self) -> str:
        return self.name


class Team(models.Model):
    """In which team."""

    id = models.CharField(primary_key=True, max_length=24)
    name = models.CharField(max_length=100)
    code = models.CharField(max_length=40)

    class Meta:
        managed = False
        db_table = "teams_team"

    def __str__(self) -> str:
        return self.name


class Category(models.Model):
    """Of which kind, by groups."""

    id = models.CharField(primary_key=True, max_length=24)
    name = models.CharField(max_length=100)
    group = models.CharField(max_length=100)

    class Meta:
        managed = False
        db_table = "categories_category"

    def __str__(self) -> str:
        return self.name


class Subcategory(models.Model):
    """Of which kind."""

    id = models.CharField(primary_key=True, max_length=24)
    name = models.CharField(max_length=100)
    code = models.CharField(max_length=40)
    category = models.ForeignKey(Category, on_delete=models.DO_NOTHING)

    class Meta:
        managed = False
        db_table = "categories_subcategory"

    def __str__(self) -> str:
        return self.name


class Spending(models.Model):
    """An expense."""

    id = models.CharField(primary_key=True, max_length=24)
    business_id = models.CharField(max_length=24)
    employee = models.ForeignKey(Employee, null=True, on_delete=models.DO_NOTHING)
    team = models.ForeignKey(Team, null=True, on_delete=models.DO_NOTHING)
    subcategory = models.ForeignKey(Subcategory, null=True, on_delete=models.DO_NOTHING)
    org_wallet_ref = models.CharField(max_length=40)
    status = models.CharField(max_length=20)
    type = models.CharField(max_length=20)
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    fees_minor = models.BigIntegerField()
    original_amount_minor = models.BigIntegerField(null=True)
    original_currency = models.CharField(max_length=3)
    fx_rate = models.DecimalField(max_digits=20, decimal_places=10, null=True)
    transaction_ref = models.CharField(max_length=80)
    provider_ref = models.CharField(max_length=80)
    transaction_date = models.DateTimeField()
    payment_type = models.CharField(max_length=20)
    channel = models.CharField(max_length=20)
    mcc = models.CharField(max_length=4)
    merchant_id = models.CharField(max_length=60)
    receiver = models.CharField(max_length=150)
    account_number = models.CharField(max_length=60)
    card_token = models.CharField(max_length=60)
    description = models.CharField(max_length=500)
    notes = models.TextField()
    tags = ArrayField(models.CharField(max_length=40))
    risk = models.PositiveSmallIntegerField()
    risk_notes = models.CharField(max_length=300)
    policy_flags = ArrayField(models.CharField(max_length=40))
    receipt_required = models.BooleanField()
    reviewed_by_id = models.CharField(max_length=24, null=True)
    reviewed_at = models.DateTimeField(null=True)
    review_reason = models.CharField(max_length=2000)
    version = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "expenses_expense"

    def __str__(self) -> str:
        return self.transaction_ref


class Receipt(models.Model):
    """A file that proves an expense."""

    id = models.CharField(primary_key=True, max_length=24)
    expense_id = models.CharField(max_length=24)
    file_name = models.CharField(max_length=150)
    mime = models.CharField(max_length=60)
    size = models.PositiveIntegerField()

    class Meta:
        managed = False
        db_table = "expenses_receipt"

    def __str__(self) -> str:
        return self.file_name
