"""What the hooks of vendors reach here: whose phone a number is."""

from collections.abc import Iterable

from service.businesses.models import Employee


def phone_owners(business_id: str, numbers: Iterable[str]) -> list[tuple[str, str]]:
    """The employees of a business who have one of these numbers (digits alone), each as (digits, name)."""
    spelled = {spelling for number in numbers for spelling in (number, f"+{number}")}
    rows = Employee.objects.filter(business_id=business_id, phone__in=spelled).order_by("id")
    return [(phone.lstrip("+"), name) for phone, name in rows.values_list("phone", "name")]
