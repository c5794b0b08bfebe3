"""What a demo business's client proves itself with: told once, kept over a second run, made anew where it was lost."""

from typing import Required, TypedDict

from django.contrib.auth.hashers import make_password

from service.businesses.models import ApiKey, Business, Client, Employee, api_key_hash
from service.businesses.secrets import random_secret
from service.respond import JsonObject
from service.sandbox import people
from service.sandbox.businesses import Secrets
from service.webhooks.models import WebhookEndpoint
from service.webhooks.signatures import new_endpoint, new_secret, unseal


class DemoEmployeeShape(TypedDict):
    """Somebody of a demo business, and whether they sign in to the dashboard."""

    employee_id: str
    role: str
    name: str
    email: str
    team_id: str | None
    signs_in: bool


class CredentialsShape(TypedDict):
    """What demo.json holds of a business."""

    business_id: str
    name: str
    slug: str
    country: str
    client_id: str
    client_secret: str
    api_key: str
    webhook_secret: str | None
    employees: list[DemoEmployeeShape]


class DemoShape(TypedDict):
    """What demo.json holds of the service: the credentials of each demo business."""

    businesses: list[CredentialsShape]


class EarlierCredentials(TypedDict, total=False):
    """What an earlier run wrote of a business, as far as it is used again; any of it may be missing."""

    business_id: Required[str]
    client_secret: str
    api_key: str
    webhook_secret: str | None


class EarlierDemo(TypedDict, total=False):
    """What an earlier run wrote."""

    businesses: list[EarlierCredentials]


def earlier_secrets(earlier: EarlierCredentials) -> Secrets:
    """Those that an earlier run wrote, the others new."""
    values: JsonObject = earlier
    known = {name: str(values[name]) for name in ("client_secret", "api_key", "webhook_secret") if values.get(name)}
    return Secrets(**known)


def credentials(business_id: str, earlier: EarlierCredentials, url: str) -> CredentialsShape:
    """What demo.json holds of a business; `earlier` is what it held before, `url` where events go."""
    business = Business.objects.get(id=business_id)
    client = Client.objects.get(business=business)
    return {
        "business_id": business.id,
        "name": business.name,
        "slug": business.name.lower().replace(" ", "-"),
        "country": business.country,
        "client_id": client.client_id,
        "client_secret": _client_secret(client, earlier.get("client_secret", "")),
        "api_key": _api_key(business, earlier.get("api_key", "")),
        "webhook_secret": _webhook_secret(business, url),
        "employees": [
            {
                "employee_id": employee.id,
                "role": employee.role,
                "name": employee.name,
                "email": employee.email,
                "team_id": employee.team_id,
                "signs_in": employee.name in people.SIGN_IN,
            }
            for employee in Employee.objects.filter(business=business).order_by("id")
        ],
    }


def _client_secret(client: Client, earlier: str) -> str:
    """The secret that an earlier run told if it still works, else a new one: what is stored cannot be read back."""
    if earlier and make_password(earlier) in (client.client_secret, client.second_secret):
        return earlier
    return client.rotate_secret()


def _api_key(business: Business, earlier: str) -> str:
    if earlier and ApiKey.objects.filter(business=business, key_hash=api_key_hash(earlier), revoked_at=None).exists():
        return earlier
    fresh = random_secret("ak_")
    ApiKey.objects.filter(business=business).update(key_hash=api_key_hash(fresh))
    return fresh


def _webhook_secret(business: Business, url: str) -> str | None:
    known = WebhookEndpoint.objects.filter(business=business).first()
    if known is None and not url:
        return None
    if known is None:
        known = new_endpoint(business, url, new_secret())
        known.save(force_insert=True)
    elif url and known.url != url:
        known.url = url
        known.save(update_fields=["url", "updated_at"])
    return unseal(known.secret)
