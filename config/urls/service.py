"""The finance service's site map."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, path

from service import health, metrics, oauth
from service.api import sandbox, v1, v2

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics.metrics),
    path("oauth/token", oauth.token),
    path("v2/oauth/token", oauth.token),
    path("oauth/revoke", oauth.revoke),
    path("v2/oauth/revoke", oauth.revoke),
    path(".well-known/oauth-authorization-server", oauth.metadata),
    path("v2/", v2.urls),
    path("v1/", v1.urls),
]
if settings.SANDBOX:
    urlpatterns.append(path("sandbox/", sandbox.urls))

handler400 = "service.api.unreadable"
handler404 = "service.api.unknown_path"
handler500 = "service.api.failed"
