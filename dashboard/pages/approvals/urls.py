"""Addresses of the inbox."""

from django.urls import path

from dashboard.pages.approvals import asked, changes, several, views

urlpatterns = [
    path("", views.inbox, name="approvals"),
    path("totals/", views.totals, name="approvals_totals"),
    path("news/", views.news, name="approvals_news"),
    path("plan/", several.plan_several, name="approvals_plan"),
    path("plan/<uuid:plan_id>/", several.plan_again, name="approvals_plan_again"),
    path("several/", several.decide_several, name="approvals_decide_several"),
    path("several/<uuid:bulk_id>/", several.several, name="approvals_several"),
    path("several/<uuid:bulk_id>/rows/", several.several_rows, name="approvals_several_rows"),
    path("several/<uuid:bulk_id>/undo/", several.undo_several, name="approvals_undo_several"),
    path("several/<uuid:bulk_id>/retry/", several.retry_several, name="approvals_retry_several"),
    path("expense/<remote:remote_id>/", views.expense, name="approvals_expense"),
    path("expense/<remote:remote_id>/approve/", views.approve_expense, name="approvals_approve_expense"),
    path("expense/<remote:remote_id>/reject/", views.reject_expense, name="approvals_reject_expense"),
    path("expense/<remote:remote_id>/ask/", views.ask_for_details, name="approvals_ask_expense"),
    path("payment/<remote:remote_id>/", views.payment, name="approvals_payment"),
    path("payment/<remote:remote_id>/approve/", views.approve_payment, name="approvals_approve_payment"),
    path("payment/<remote:remote_id>/reject/", views.reject_payment, name="approvals_reject_payment"),
    path("payment/<remote:remote_id>/file/<remote:file_id>/", asked.bill_file, name="approvals_bill_file"),
    path("access-change/<number:proposal_id>/", changes.access_change, name="approvals_access_change"),
    path(
        "access-change/<number:proposal_id>/approve/",
        changes.confirm_access_change,
        name="approvals_confirm_access_change",
    ),
    path(
        "access-change/<number:proposal_id>/reject/",
        changes.decline_access_change,
        name="approvals_decline_access_change",
    ),
    path("card-order/<remote:remote_id>/", asked.card_order, name="approvals_card_order"),
    path("card-order/<remote:remote_id>/approve/", asked.approve_card_order, name="approvals_approve_card_order"),
    path("card-order/<remote:remote_id>/reject/", asked.reject_card_order, name="approvals_reject_card_order"),
    path("card-request/<remote:remote_id>/", asked.card_request, name="approvals_card_request"),
    path("card-request/<remote:remote_id>/approve/", asked.approve_card_request, name="approvals_approve_card_request"),
    path("card-request/<remote:remote_id>/reject/", asked.reject_card_request, name="approvals_reject_card_request"),
    path("fund-opt-in/<remote:remote_id>/", asked.fund_opt_in, name="approvals_fund_opt_in"),
    path("fund-opt-in/<remote:remote_id>/approve/", asked.approve_fund_opt_in, name="approvals_approve_fund_opt_in"),
    path("fund-opt-in/<remote:remote_id>/reject/", asked.reject_fund_opt_in, name="approvals_reject_fund_opt_in"),
    path("hand-transaction/<remote:remote_id>/", asked.hand_transaction, name="approvals_hand_transaction"),
    path(
        "hand-transaction/<remote:remote_id>/approve/",
        asked.approve_hand_transaction,
        name="approvals_approve_hand_transaction",
    ),
    path(
        "hand-transaction/<remote:remote_id>/reject/",
        asked.reject_hand_transaction,
        name="approvals_reject_hand_transaction",
    ),
]
