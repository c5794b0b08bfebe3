"""The chart of accounts that expenses are filed under: categories and their subcategories."""

from django.db import models

from service.businesses.models import Business
from service.ids import object_id


class CategoryStatus(models.TextChoices):
    """Whether something may still be filed under it."""

    ACTIVE = "ACTIVE", "Active"
    ARCHIVED = "ARCHIVED", "Archived"


class Category(models.Model):
    """A group of subcategories, such as Travel."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="categories")
    name = models.CharField(max_length=100)
    code = models.CharField(max_length=40)
    group = models.CharField(max_length=60, blank=True, default="")
    type = models.CharField(max_length=40, blank=True, default="EXPENSE")
    status = models.CharField(max_length=16, choices=CategoryStatus.choices, default=CategoryStatus.ACTIVE)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "categories"
        constraints = [models.UniqueConstraint(fields=["business", "code"], name="category_code_once_per_business")]

    def __str__(self) -> str:
        return self.name


class Subcategory(models.Model):
    """What an expense is filed under, such as Travel: Fuel."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="subcategories")
    name = models.CharField(max_length=100)
    code = models.CharField(max_length=40)
    status = models.CharField(max_length=16, choices=CategoryStatus.choices, default=CategoryStatus.ACTIVE)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "subcategories"
        constraints = [models.UniqueConstraint(fields=["category", "code"], name="subcategory_code_once_per_category")]

    def __str__(self) -> str:
        return self.name
