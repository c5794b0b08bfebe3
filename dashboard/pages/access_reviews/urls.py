"""Addresses of the access reviews."""

from django.urls import path

from dashboard.pages.access_reviews import views

urlpatterns = [
    path("", views.access_reviews, name="access-reviews"),
    path("open/", views.open_review, name="access-reviews_open"),
    path("<number:review_id>/", views.access_review, name="access-reviews_item"),
    path("<number:review_id>/people/<number:person_id>/", views.decide_person, name="access-reviews_decide"),
    path("<number:review_id>/sign/", views.sign_review, name="access-reviews_sign"),
    path("<number:review_id>/review.pdf", views.review_pdf_file, name="access-reviews_pdf"),
    path("<number:review_id>/content.json", views.review_content, name="access-reviews_content"),
]
