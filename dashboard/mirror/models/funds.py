"""The copy of fund accounts, and of who operates them."""

from django.db import models

from dashboard.mirror.models.mirrored import Mirrored


class FundAccount(Mirrored):
    """What the business has in a fund. What it is worth is asked for live.

    `operators` is [{"employee_id": str, "name": str, "can_invest": bool, "can_withdraw": bool, "may_invest": bool,
    "may_withdraw": bool, "waits": bool, "counts": bool}]: as whom somebody was named, what of it another admin has
    confirmed, whether something waits for that, and whether anything was confirmed yet.
    """

    fund_id = models.CharField(max_length=64)
    fund_name = models.CharField(max_length=200)
    currency = models.CharField(max_length=3)
    status = models.CharField(max_length=20)
    operators = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_fund_account")]
