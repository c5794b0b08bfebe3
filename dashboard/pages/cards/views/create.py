"""Making a card for somebody: a virtual one is there at once, a physical one is ordered, which somebody else approves."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands.cards import create_card
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.pages.cards.fields import AmountField
from dashboard.pages.cards.funding import choices_for, states_funding
from dashboard.pages.cards.request_forms import AddressPart
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET
from dashboard.web.card_text import KINDS
from dashboard.web.fields import Name
from dashboard.web.respond import page
from dashboard.web.submission import form_key, key_of

TEMPLATE = "cards/new.html"
MOST_PEOPLE = 1000


class NewCardForm(AddressPart):
    """A card for somebody else; more controls can be given to it once it is there."""

    field_order = (
        "employee_id", "name", "type", "funding", "org_wallet_ref", "one_purchase", "in_a_month", "ship_name", "street",
        "city", "country",
    )  # fmt: skip
    employee_id = forms.ChoiceField(label="For")
    name = Name(max_length=100, label="What for", help_text="Such as Fuel: it is the card's name.")
    type = forms.ChoiceField(choices=list(KINDS.items()), label="Kind")
    funding = forms.ChoiceField(label="Funding source", initial=ALLOCATION)
    org_wallet_ref = forms.ChoiceField(
        label="Wallet", help_text="A business wallet that it spends, or whose currency the allocation has."
    )
    one_purchase = AmountField(label="Per-transaction limit", help_text="In the wallet's currency.")
    in_a_month = AmountField(label="Monthly limit")

    def __init__(self, *given: Any, actor: Actor, **more: Any) -> None:
        super().__init__(*given, **more)
        self.locale = actor.business.locale
        people = visible_employees(actor).filter(status="ACTIVE").exclude(remote_id=actor.employee_id or "-")
        self.people = dict(people.order_by("name").values_list("remote_id", "name")[:MOST_PEOPLE])
        wallets = visible_wallets(actor).filter(status="ACTIVE").order_by("currency", "name")
        self.wallets: dict[str, Wallet] = {one.org_wallet_ref: one for one in wallets}
        self.fields["employee_id"].choices = [("", "Choose…"), *self.people.items()]  # type: ignore[attr-defined]
        self.fields["org_wallet_ref"].choices = [  # type: ignore[attr-defined]
            (ref, f"{one.name or ref} · {one.currency}") for ref, one in self.wallets.items()
        ]
        self._offer_funding(actor)

    def _offer_funding(self, actor: Actor) -> None:
        if not states_funding(actor):
            del self.fields["funding"]
            self.fields["org_wallet_ref"].help_text = ""
            return
        choices = choices_for(actor)
        self.fields["funding"].choices = choices  # type: ignore[attr-defined]
        self.fields["funding"].help_text = (
            "A business wallet needs a monthly limit."
            if len(choices) > 1
            else "What an approver allocates to the holder. An admin can let it spend a business wallet."
        )

    def clean(self) -> dict[str, Any]:
        """Amounts in the wallet's currency; an address for a physical card alone."""
        found = super().clean()
        wallet = self.wallets.get(found.get("org_wallet_ref", ""))
        for name in ("one_purchase", "in_a_month"):
            field = self.fields[name]
            if wallet is not None and found.get(name) is not None and isinstance(field, AmountField):
                try:
                    found[name] = field.in_minor(found[name], wallet.currency)
                except forms.ValidationError as wrong:
                    self.add_error(name, wrong)
        if found.get("funding") == BUSINESS_WALLET and not found.get("in_a_month") and "in_a_month" not in self.errors:
            self.add_error("in_a_month", "A card that spends a business wallet needs a monthly limit.")
        if found.get("street") and found.get("type") != "PHYSICAL":
            self.add_error("street", "Only a physical card is shipped.")
        return found

    def body(self) -> dict[str, Any]:
        """What is sent."""
        found = self.cleaned_data
        controls: dict[str, Any] = {}
        if found["one_purchase"]:
            controls["per_transaction_limit"] = found["one_purchase"]
        if found["in_a_month"]:
            controls["limits"] = [{"interval": "PER_MONTH", "amount": found["in_a_month"]}]
        return {
            "employee_id": found["employee_id"],
            "name": found["name"],
            "org_wallet_ref": found["org_wallet_ref"],
            "type": found["type"],
            "funding": BUSINESS_WALLET if found.get("funding") == BUSINESS_WALLET else None,
            "controls": controls or None,
            "shipping": self.shipping(),
        }


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CARD)
def new_card(request: ActorRequest, business: str) -> HttpResponse:
    """A new card for somebody else."""
    if request.method == "GET":
        begun = {"employee_id": request.GET.get("holder", "")}
        return _ask(request, NewCardForm(actor=request.actor, initial=begun))
    form = NewCardForm(request.POST, actor=request.actor)
    if not form.is_valid():
        return _ask(request, form, 422)
    holder = form.people[form.cleaned_data["employee_id"]]
    try:
        created = create_card(request.actor, form.body(), holder_name=holder, key=key_of(request), form=form)
    except (*FAILED, NotFound):
        return _ask(request, form, 422)
    ordered = created.text("status") == "REQUESTED"
    messages.success(request, "The card is ordered: somebody else approves it." if ordered else "The card is created.")
    return redirect("cards_item", business, created.id)


def _ask(request: ActorRequest, form: NewCardForm, status: int = 200) -> HttpResponse:
    return page(request, TEMPLATE, {"form": form, "key": form_key(request)}, status=status)
