"""Address of the finder."""

from django.urls import path

from dashboard.pages.finder import views

urlpatterns = [path("", views.find, name="finder")]
