"""Address of what became of a form, within a business."""

from django.urls import path

from dashboard.pages.submissions import views

urlpatterns = [path("<key:key>/", views.submission, name="submission")]
