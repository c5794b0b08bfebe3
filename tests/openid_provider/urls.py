"""The provider's addresses: the toolkit's, a sign-in page, and one by which a test sets it up."""

import json

from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from oauth2_provider.models import Application

from tests.openid_provider.claims import FAULTS, PEOPLE


def set_up(request: HttpRequest) -> JsonResponse:
    """{"people": {name: {"password", "claims"}}, "client": {"id", "secret", "redirect"}, "faults": {claim: value}}"""
    given = json.loads(request.body)
    for name, person in given.get("people", {}).items():
        user, _ = User.objects.get_or_create(username=name)
        user.set_password(person["password"])
        user.save()
        PEOPLE[name] = person["claims"]
    if client := given.get("client"):
        Application.objects.update_or_create(
            client_id=client["id"],
            defaults={
                "client_secret": client["secret"], "redirect_uris": client["redirect"], "skip_authorization": True,
                "client_type": Application.CLIENT_CONFIDENTIAL, "algorithm": Application.RS256_ALGORITHM,
                "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
            },
        )  # fmt: skip
    FAULTS.clear()
    FAULTS.update(given.get("faults", {}))
    return JsonResponse({})


urlpatterns = [
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("sign-in/", LoginView.as_view()),
    path("set-up/", set_up),
]
