"""The Django app of access reviews: its tables store each quarter's review, with a row for each person."""

from django.apps import AppConfig


class AccessReviewsConfig(AppConfig):
    name = "dashboard.access_reviews"
    label = "access_reviews"
