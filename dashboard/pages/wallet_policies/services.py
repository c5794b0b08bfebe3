"""What is written through to the copy while a change of a policy is looked at."""

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.client.reads import read_live
from dashboard.commands.access_changes import copy_policy
from dashboard.inputs import whole_number
from dashboard.mirror.models import WalletPolicy
from dashboard.pages.wallet_policies.presenters.audit import changes_since
from dashboard.schemas.wallet_policies import AnsweredPolicy
from dashboard.web.submission import sent_before

# So many of the changes that came between are shown.
MAX_CHANGES = 5
READ_S = 4.0


def changed_meanwhile(request: ActorRequest, policy: WalletPolicy | None) -> str:
    """What was changed of a policy since its person saw the preview that is confirmed, as a sentence, "" for nothing; the copy
    is then fresh. Raises the FinanceError tree."""
    seen = request.POST.get("seen", "")
    if policy is None or seen in {"", "None"} or sent_before(request):
        return ""
    path, operation = {"policyId": policy.remote_id}, operations.READ_WALLET_POLICY
    current: AnsweredPolicy = read_live(request.actor, operation, path=path, subject=policy, deadline=READ_S).data
    if str(current.get("version")) == seen:
        return ""
    copy_policy(request.actor, current)
    number = whole_number(seen, 99_999_999)
    count = 1 if number is None else current["version"] - number
    changes = changes_since(request.actor, policy, max(1, min(count, MAX_CHANGES)))
    return (
        f"The policy changed since you opened it, so nothing was done. {changes} Go back, review it and decide again."
    )
