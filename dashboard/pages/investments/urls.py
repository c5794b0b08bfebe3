"""Addresses of the investments."""

from django.urls import path

from dashboard.pages.investments import views

urlpatterns = [
    path("", views.investments, name="investments"),
    path("opt-in/", views.opt_in, name="investments_opt_in"),
    path("<remote:remote_id>/", views.fund_account, name="investments_item"),
    path("<remote:remote_id>/top-up/", views.top_up, name="investments_top_up"),
    path("<remote:remote_id>/invest/", views.invest, name="investments_invest"),
    path("<remote:remote_id>/withdraw/", views.withdraw, name="investments_withdraw"),
    path("<remote:remote_id>/operators/", views.replace_operators, name="investments_operators"),
    path(
        "<remote:remote_id>/operators/<remote:employee_id>/confirm/",
        views.confirm_operator,
        name="investments_confirm",
    ),
]
