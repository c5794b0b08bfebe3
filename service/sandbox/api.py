"""The sandbox over HTTP: only mounted where settings.SANDBOX is on. No token is asked for: there is nothing real here."""

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema
from pydantic import Field

from service.respond import answer
from service.sandbox.businesses import Order, make
from service.text import Words

router = Router(tags=["Sandbox"])


class NewBusiness(Schema):
    """Everything may be left out."""

    name: Words = "Sandbox Ltd"
    country: str = Field(default="KE", pattern="^[A-Z]{2}$")
    webhook_url: str = Field(default="", max_length=500)
    entitled: bool = True
    rate_plan: str = Field(default="HIGH", pattern="^(HIGH|STANDARD)$")
    scopes: list[str] | None = None


@router.post("/businesses")
def create_business(request: HttpRequest, body: NewBusiness | None = None) -> HttpResponse:
    """A fresh business with its cast and credentials."""
    wanted = body or NewBusiness()
    order = Order(
        name=wanted.name,
        country=wanted.country,
        entitled=wanted.entitled,
        webhook_url=wanted.webhook_url,
        rate_plan=wanted.rate_plan,
    )
    return answer(make(order).credentials(), 201)
