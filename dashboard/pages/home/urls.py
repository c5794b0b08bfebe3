"""Addresses of the start of the day."""

from django.urls import path

from dashboard.pages.home import views

PREFIX = ""
urlpatterns = [
    path("", views.home, name="home"),
    path("home/demo/", views.demo, name="home_demo"),
    path("home/queue/", views.queue, name="home_queue"),
    path("home/cards/", views.cards, name="home_cards"),
    path("home/due/", views.due, name="home_due"),
    path("home/exceptions/", views.exceptions, name="home_exceptions"),
    path("home/cash/", views.cash, name="home_cash"),
    path("home/movement/", views.movement, name="home_movement"),
    path("home/spending/", views.spending, name="home_spending"),
    path("home/recent/", views.recent, name="home_recent"),
]
