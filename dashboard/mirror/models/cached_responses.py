"""Answers of the service that are stored whole: small ones that change seldom and are read live as long as that goes."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone


class StoredResponse(models.Model):
    """The last good answer of a read; `item` is the id of its subject, "" for a list. Amounts in it are text."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    operation = models.CharField(max_length=60)
    item = models.CharField(max_length=64, blank=True)
    payload = models.JSONField(encoder=DjangoJSONEncoder)
    as_of = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "mirror_keptanswer"
        constraints = [models.UniqueConstraint(fields=["business", "operation", "item"], name="one_answer_kept")]

    def __str__(self) -> str:
        return f"{self.operation} {self.item}"
