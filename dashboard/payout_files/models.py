"""How the columns of the files are called that a business brings its payments in."""

from django.db import models

from dashboard.access.models import Business


class FileColumns(models.Model):
    """How a file with this header is read, for the whole business: `columns` are the places in the header by our names."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    header_key = models.CharField(max_length=64)
    header = models.JSONField()
    columns = models.JSONField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "header_key"], name="file_columns_per_header")]

    def __str__(self) -> str:
        return ", ".join(self.header)

    @property
    def names(self) -> dict[str, str]:
        """By our names, what the columns are called in the file."""
        return {name: self.header[place] for name, place in self.columns.items()}
