"""Address of the finder."""

from django.urls import path

from dashboard.pages.finder import views

PREFIX = "find/"
urlpatterns = [path("", views.find, name="finder")]
