"""Addresses of the conversations about items."""

from django.urls import path

from dashboard.pages.conversation import views

urlpatterns = [
    path("comments/<uuid:comment_id>/", views.edit_comment, name="conversation_edit"),
    path("<word:kind>/<remote:remote_id>/", views.conversation, name="conversation"),
    path("<word:kind>/<remote:remote_id>/say/", views.add_comment, name="conversation_say"),
    path("<word:kind>/<remote:remote_id>/dismiss/", views.dismiss_flag, name="conversation_dismiss"),
    path("<word:kind>/<remote:remote_id>/people/", views.people, name="conversation_people"),
]
