"""The dashboard's site map: what belongs to no business lives under /-/, a business's pages under its address."""

from django.urls import URLPattern, URLResolver, include, path

from dashboard.inbound_mail.views import receive_mail
from dashboard.mirror.views import receive_webhook
from dashboard.pages.approvals.views.inbox import pulse
from dashboard.pages.notifications.views import bell
from dashboard.pages.submissions.views import own_submission
from dashboard.web import (
    account_views,
    health,
    mail,
    manifest,
    metrics,
    saml_logout_views,
    saml_views,
    sign_on_views,
    style,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", account_views.entry, name="entry"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("-/metrics/", metrics.metrics, name="metrics"),
    path("-/sign-on/", sign_on_views.sign_on, name="sign_on"),
    path("-/sign-on/verify/", sign_on_views.verify, name="sign_on_verify"),
    # Before allauth's own of these names, which would ask for less and lead a form to another origin.
    path("-/account/oidc/<slug:provider_id>/login/", sign_on_views.start, name="openid_connect_login"),
    path("-/account/oidc/<slug:provider_id>/login/callback/", sign_on_views.callback, name="openid_connect_callback"),
    path("-/account/saml/<slug:provider_id>/metadata/", saml_views.our_metadata, name="saml_metadata"),
    path("-/account/saml/<slug:provider_id>/consumer/", saml_views.assertion_consumer, name="saml_consumer"),
    path("-/account/saml/<slug:provider_id>/finish/", saml_views.finish_sign_in, name="saml_finish"),
    path("-/account/saml/<slug:provider_id>/logout/", saml_logout_views.single_logout, name="saml_logout"),
    path("-/account/saml/<slug:provider_id>/sign-out/", saml_logout_views.sign_out_there, name="saml_sign_out"),
    path("-/account/email/", account_views.email_addresses, name="account_email"),
    path("-/account/", include("allauth.urls")),
    path("-/you/", account_views.you, name="you"),
    path("-/alive/", account_views.alive, name="alive"),
    path("-/session/", account_views.session, name="session"),
    path("-/submissions/<key:key>/", own_submission, name="own_submission"),
    path("-/kept/", account_views.restored_form, name="kept_form"),
    path("-/scim/v2/", include("dashboard.scim.urls")),
    path("-/hooks/<number:business_id>/", receive_webhook, name="hook"),
    path("-/pulse/<slug:slug>/", pulse, name="pulse"),
    path("-/bell/<slug:slug>/", bell, name="bell"),
    path("-/manifest.webmanifest", manifest.web_manifest, name="manifest"),
    path("-/push/worker.js", manifest.push_worker, name="push_worker"),
    path("-/style/", style.style_guide, name="style"),
    path("-/mail/bills/", receive_mail, name="inbound_mail"),
    path("-/mail/", mail.mailbox, name="mail"),
    path("<slug:business>/", include("dashboard.pages.urls")),
]

handler400 = "dashboard.web.errors.bad_request"
handler403 = "dashboard.web.errors.forbidden"
handler404 = "dashboard.web.errors.not_found"
handler500 = "dashboard.web.errors.server_error"
