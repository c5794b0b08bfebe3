"""How far the year of a demo business is made."""

from django.db import models

from service.businesses.models import Business


class DemoProgress(models.Model):
    """What a demo business is made of, and how many of its months there are: each is committed with its number, so that who
    goes on after an interruption begins with the next one.

    `until` is the moment up to which its year goes, `expenses` how many it has in all. `months` lie before the running one,
    which is there from the beginning; `made` of them are, the newest first. It is whole from `whole_at` on.
    """

    business = models.OneToOneField(
        Business, primary_key=True, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    seed = models.IntegerField()
    expenses = models.IntegerField()
    until = models.DateTimeField()
    months = models.SmallIntegerField()
    made = models.SmallIntegerField(default=0)
    whole_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(made__gte=0, made__lte=models.F("months")), name="demo_months_made"
            ),
            models.CheckConstraint(
                condition=models.Q(whole_at=None) | models.Q(made=models.F("months")), name="demo_whole_with_all_months"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.business_id}: {self.made} of {self.months}"
