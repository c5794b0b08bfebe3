"""The key that signs the manifests of a business."""

from django.db import models
from django.utils import timezone

from dashboard.access.models import Business


class SigningKey(models.Model):
    """The Ed25519 key that signs the manifests of a business; the private half is encrypted at rest."""

    business = models.OneToOneField(Business, on_delete=models.CASCADE, related_name="+")
    sealed_private_key = models.BinaryField()
    public_key = models.TextField(help_text="PEM")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.business}: {self.created_at:%Y-%m-%d}"
