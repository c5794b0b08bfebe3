"""A single payment, and asking a phone for money."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import payouts as commands
from dashboard.errors import FinanceError
from dashboard.mirror.models import Wallet
from dashboard.pages.payouts.forms.payouts import MobileMoneyForm, SinglePaymentForm
from dashboard.pages.payouts.presenters.choices import bank_choices, channel_choices, wallet_choices
from dashboard.pages.payouts.presenters.repeats import compare, repeated_context
from dashboard.pages.payouts.presenters.requests import requests_context
from dashboard.pages.payouts.presenters.singles import single_review
from dashboard.pages.payouts.selectors.payouts import (
    PayoutDestinations,
    destinations,
    paying_wallets,
    payout_by_number,
)
from dashboard.pages.payouts.services.lines import PaymentLine, check_lines
from dashboard.payee_accounts import SWIFT
from dashboard.payout_files.services import remember_code
from dashboard.web.form_outcome import SubmissionState, with_outcome
from dashboard.web.payee_changes import is_payee_refusal, payee_change_links
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import form_key_of, posted_key, sent_before

SINGLE, REQUEST = "payouts/single.html", "payouts/request.html"
MOBILE_MONEY = "KES"
REVIEW = "It is to be reviewed first: initiate it on its page."


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_PAYMENT_INTENT)
def new_payment(request: ActorRequest, business: str) -> HttpResponse:
    """One payment: its fee and the balance after are shown first, then it is initiated; who has not just shown that it is them
    does so before."""
    wallets = paying_wallets(request.actor)
    try:
        known = destinations(request.actor)
    except FinanceError as trouble:
        return page(request, SINGLE, {"problem": trouble.user_message}, status=trouble.status)
    form = _single_form(request, wallets, known)
    if request.method == "GET" or not form.is_valid():
        return _render_single(request, form, 200 if request.method == "GET" else 422)
    return _reviewed(request, form, wallets, known)


def _reviewed(
    request: ActorRequest, form: SinglePaymentForm, wallets: list[Wallet], payout_destinations: PayoutDestinations
) -> HttpResponse:
    """The payment, once it was seen as it is."""
    wallet = next(row for row in wallets if row.org_wallet_ref == form.cleaned_data["wallet"])
    line = _checked_line(request, form, wallet, payout_destinations)
    if form.errors:
        return _render_single(request, form, 422)
    # What it costs, leaves and repeats is seen before it is initiated; what was changed since is shown anew.
    if not sent_before(request):
        doubles = compare(request.actor, wallet.currency, [line])
        review = single_review(request.actor, wallet, line, payout_destinations, doubles)
        if request.POST.get("reviewed") != review.digest:
            twice = repeated_context(request.actor, wallet.currency, doubles)["repeated"]
            answer = _render_single(request, form, 200, review=review, twice=twice, partly=not doubles.whole)
            return with_outcome(answer, REVIEW, SubmissionState.REFUSED)
    return confirm_first(request, request.path) or _pay(request, form, line)


def _single_form(
    request: ActorRequest, wallets: list[Wallet], payout_destinations: PayoutDestinations
) -> SinglePaymentForm:
    return SinglePaymentForm(
        request.POST if request.method == "POST" else None, locale=request.actor.business.locale,
        wallets=wallet_choices(wallets), channels=channel_choices(payout_destinations), banks=bank_choices(payout_destinations),
    )  # fmt: skip


def _checked_line(
    request: ActorRequest, form: SinglePaymentForm, wallet: Wallet, payout_destinations: PayoutDestinations
) -> PaymentLine:
    """The payment, checked as a row of a batch is; what is wrong stands on the form."""
    line = form.line()
    check_lines([line], wallet.currency, request.actor.business.locale, payout_destinations)
    for name, problem in line.problems.items():
        form.add_error("bic" if name == "bank" and form.cleaned_data["channel"] == SWIFT else name, problem)
    return line


def _pay(request: ActorRequest, form: SinglePaymentForm, line: PaymentLine) -> HttpResponse:
    data = form.cleaned_data
    try:
        intent = commands.pay_single(
            request.actor, line.body, data["wallet"], data["code_channel"], key=form_key_of(request), form=form
        )
    except commands.REFUSALS as refused:
        paid = [(line.body["channel"], line.body["account"])]
        changes = payee_change_links(request.actor, paid) if is_payee_refusal(refused) else []
        return _render_single(request, form, refused.status, payee_changes=changes)
    if intent is None:
        messages.info(request, "The finance service accepted it, but its answer could not be read: look in the list.")
        return redirect("payouts", request.actor.business.slug)
    payout = payout_by_number(request.actor, intent.batch_no)
    if intent.status != "REQUIRES_CONFIRMATION":
        messages.success(request, "Sent for approval.")
    elif payout is not None and intent.expires_at is not None:
        remember_code(request.actor.business, payout.remote_id, intent.intent_id, intent.expires_at)
        messages.success(request, "A one-time code was sent: it is paid once somebody who may approve enters it here.")
    else:
        messages.info(request, "It awaits a one-time code. Open it in the list and have a code sent there.")
    if payout is None:
        return redirect("payouts", request.actor.business.slug)
    return redirect("payouts_item", request.actor.business.slug, payout.remote_id)


def _render_single(request: ActorRequest, form: SinglePaymentForm, status: int, **more: Any) -> HttpResponse:
    return page(request, SINGLE, {"form": form, "key": posted_key(request), **more}, status=status)


@require_http_methods(["GET", "POST"])
@needs(operations.REQUEST_MOBILE_MONEY)
def request_money(request: ActorRequest, business: str) -> HttpResponse:
    """Asks a phone for money: its owner confirms it there, and it is credited when that is reported."""
    locale, wallets = request.actor.business.locale, wallet_choices(paying_wallets(request.actor, MOBILE_MONEY))
    form = MobileMoneyForm(request.POST if request.method == "POST" else None, locale=locale, wallets=wallets)
    if request.method == "GET" or not form.is_valid():
        return _render_request(request, form, 200 if request.method == "GET" else 422)
    try:
        commands.request_mobile_money(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_request(request, form, refused.status)
    messages.success(request, "The phone was asked. The money is credited when its owner has confirmed.")
    return redirect("payouts_request", business)


def _render_request(request: ActorRequest, form: MobileMoneyForm, status: int) -> HttpResponse:
    earlier = requests_context(request.actor)
    return page(request, REQUEST, {"form": form, "key": posted_key(request), **earlier}, status=status)
