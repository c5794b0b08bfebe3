"""Addresses of the investments."""

from django.urls import path

from dashboard.pages.investments import moving, naming, views

urlpatterns = [
    path("", views.investments, name="investments"),
    path("opt-in/", views.opt_in, name="investments_opt_in"),
    path("<remote:remote_id>/", views.fund_account, name="investments_item"),
    path("<remote:remote_id>/top-up/", moving.top_up, name="investments_top_up"),
    path("<remote:remote_id>/invest/", moving.invest, name="investments_invest"),
    path("<remote:remote_id>/withdraw/", moving.withdraw, name="investments_withdraw"),
    path("<remote:remote_id>/operators/", naming.replace_operators, name="investments_operators"),
    path(
        "<remote:remote_id>/operators/<remote:employee_id>/confirm/",
        naming.confirm_operator,
        name="investments_confirm",
    ),
]
