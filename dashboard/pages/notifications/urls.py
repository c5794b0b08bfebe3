"""Addresses of the notifications."""

from django.urls import path

from dashboard.pages.notifications import views

urlpatterns = [
    path("", views.notifications, name="notifications"),
    path("count/", views.count, name="notifications_count"),
    path("read/", views.read_all, name="notifications_read_all"),
    path("choices/", views.choices, name="notifications_choices"),
    path("devices/", views.add_own_device, name="notifications_add_device"),
    path("devices/<uuid:device_id>/remove/", views.remove_own_device, name="notifications_remove_device"),
    path("<uuid:notice_id>/", views.open_notice, name="notifications_open"),
]
