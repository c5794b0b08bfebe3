"""What the simulated message rail has delivered."""

from django.db import models

from service.businesses.models import Business
from service.ids import object_id


class Message(models.Model):
    """A message that a real rail would have sent to a phone or mailbox; kept only where the sandbox is on."""

    class Channel(models.TextChoices):
        """By which way a one-time code is sent."""

        SMS = "SMS", "Text message"
        EMAIL = "EMAIL", "Email"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    employee_id = models.CharField(max_length=24, blank=True, default="")
    channel = models.CharField(max_length=5, choices=Channel.choices)
    address = models.CharField(max_length=254)
    kind = models.CharField(max_length=40)
    subject_ref = models.CharField(max_length=64, blank=True, default="")
    text = models.TextField()
    code = models.CharField(max_length=12, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["business", "-created_at"], name="message_of_business")]

    def __str__(self) -> str:
        return f"{self.channel} {self.kind}"
