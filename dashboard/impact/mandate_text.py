"""Mandates in words: what one covers, what it asks for, and what a change makes of it, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from dashboard.impact.wallet_mandates import MANDATE_KINDS
from dashboard.money import text, to_minor
from dashboard.schemas.permissions import MandateBody, NewSeatBody, SeatChanges
from dashboard.schemas.wallet_policies import Mandate, Seat


def mandate_kind(mandate: Mandate) -> str:
    """The kind of operation that a mandate requires votes for: "Payout batches"."""
    return MANDATE_KINDS.get(mandate.action_type, f"type {mandate.action_type}").capitalize()


def amounts_of(mandate: Mandate, locale: str) -> str:
    """Between which amounts: "from KES 100,000.00"."""
    low, high, currency = mandate.min_amount_minor, mandate.max_amount_minor, mandate.currency
    if high is None:
        return f"from {text(low, currency, locale)}" if low else f"any amount in {currency}"
    most = text(high, currency, locale)
    return f"{text(low, currency, locale)} to {most}" if low else f"up to {most}"


def mandate_title(mandate: Mandate, locale: str) -> str:
    """What a mandate covers, its kind and amounts: two mandates of a business may well have one name."""
    return f"{mandate_kind(mandate)}, {amounts_of(mandate, locale)}"


def voting(mandate: Mandate) -> list[Seat]:
    """The active seats of a mandate, in their order."""
    return sorted((seat for seat in mandate.approvers if seat.active), key=lambda seat: seat.order)


def quorum_text(mandate: Mandate) -> str:
    """How many of how many must approve: "2 of 3"."""
    return f"{mandate.min_approvers} of {len(voting(mandate))}"


def cap_of(seat: Seat, currency: str, locale: str) -> str:
    """Up to how much a seat may approve: "any amount" or "up to KES 100.00"."""
    return "any amount" if seat.max_amount_minor is None else f"up to {text(seat.max_amount_minor, currency, locale)}"


def as_changed(mandate: Mandate, path: Mapping[str, str], body: MandateBody, names: Mapping[str, str]) -> Mandate:
    """The mandate as a change would make it; `names` are those of people who would be added."""
    if "min_approvers" in body:
        return mandate.model_copy(update={"min_approvers": body["min_approvers"]})
    seats = list(mandate.approvers)
    if "approver_ids" in body:
        seats = [seat for seat in seats if seat.approver_id not in body["approver_ids"]]
    elif "approvers" in body:
        last = max((seat.order for seat in seats), default=0)
        for place, approver in enumerate(body["approvers"], last + 1):
            who = approver["approver_id"]
            seat = Seat(approver_id=who, name=names.get(who, who), order=place)
            seats.append(seat.model_copy(update=_seat_changes(approver, mandate.currency)))
    else:
        changes = _seat_changes(body, mandate.currency)
        approver_id = path.get("approver_id", "")
        seats = [seat.model_copy(update=changes) if seat.approver_id == approver_id else seat for seat in seats]
    return mandate.model_copy(update={"approvers": seats})


def _seat_changes(body: SeatChanges | NewSeatBody, currency: str) -> dict[str, object]:
    changes = {name: value for name, value in body.items() if name in {"required", "order", "active"}}
    if "max_amount" in body:
        most = body["max_amount"]
        changes["max_amount_minor"] = None if most is None else to_minor(Decimal(most), currency)
    return changes


def mandate_changes(before: Mandate, after: Mandate, locale: str) -> list[str]:
    """What changes between two states of a mandate, a sentence for each change; the first names the mandate."""
    sentences = (
        [f"{quorum_text(before)} → {quorum_text(after)} must approve."]
        if quorum_text(before) != quorum_text(after)
        else []
    )
    was = {seat.approver_id: seat for seat in before.approvers}
    now = {seat.approver_id: seat for seat in after.approvers}
    for who, seat in now.items():
        sentences += _seat(was.get(who), seat, after.currency, locale)
    sentences += [f"{seat.name} is no longer an approver of it." for who, seat in was.items() if who not in now]
    if sentences:
        sentences[0] = f"Mandate “{mandate_title(before, locale)}”: {sentences[0]}"
    return sentences


def _seat(before: Seat | None, after: Seat, currency: str, locale: str) -> list[str]:
    who, cap = after.name, cap_of(after, currency, locale)
    if before is None:
        must = " as a required approver" if after.required else ""
        return [f"{who} becomes an approver, for {cap}{must}."]
    sentences = []
    if before.active != after.active:
        sentences.append(
            f"{who} can approve again." if after.active else f"{who} cannot approve until made active again."
        )
    if before.max_amount_minor != after.max_amount_minor:
        sentences.append(f"{who} can approve {cap} ({cap_of(before, currency, locale)} before).")
    if before.required != after.required:
        sentences.append(
            f"{who} is a required approver." if after.required else f"{who} is no longer a required approver."
        )
    if before.order != after.order:
        sentences.append(f"{who} approves in step {after.order} ({before.order} before).")
    return sentences


def listed(words: list[str]) -> str:
    """Several words or names in a sentence: "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
