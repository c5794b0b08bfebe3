"""How far the demo is, in v2: an extension of ours, which only a sandbox answers, and only for a business of the demo."""

from django.conf import settings
from django.http import HttpResponse
from ninja import Router

from service import errors
from service.auth import EVERYBODY, ApiRequest, requires
from service.documentation import EXTENSION
from service.respond import answer
from service.sandbox.models import DemoProgress
from service.sandbox.schemas import DemoProgressOut

router = Router(tags=["Sandbox"])


@router.get(
    "/demo-progress", response=DemoProgressOut, summary="Read the progress of the demo", openapi_extra=EXTENSION
)
@requires(scope="expenses:read", roles=EVERYBODY)
def read_demo_progress(request: ApiRequest) -> HttpResponse:
    """How many months of the business's demo there are; 404 for a business that is none."""
    progress = DemoProgress.objects.filter(business=request.caller.business).first() if settings.SANDBOX else None
    if progress is None:
        raise errors.not_found("demo")
    return answer({"months": progress.months, "made": progress.made, "whole": progress.whole_at is not None})
