"""Addresses of the people."""

from django.urls import path

from dashboard.pages.people import views

urlpatterns = [
    path("", views.people, name="people"),
    path("totals/", views.totals, name="people_totals"),
    path("<remote:remote_id>/", views.person, name="people_item"),
]
