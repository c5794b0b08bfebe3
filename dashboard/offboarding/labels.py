"""What can be done with something somebody leaves behind, in words, and which kinds of things there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dashboard.access.roles import Role


@dataclass(frozen=True, slots=True)
class LeaverAction:
    """One thing that can be done: its name, what a form calls it, and who can be its heir.

    `heir` is "" where it needs none, else "anybody", "member" (somebody who can sign in), "staff" (no card user) or
    "approver".
    """

    name: str
    label: str
    heir: str = ""


END_MEMBER = LeaverAction("end", "End their access, too")
LEAVE = LeaverAction("keep", "Somebody else: leave it as it is")
END = LeaverAction("end", "End delegation")
REMOVE = LeaverAction("remove", "Remove seat")
SUPERVISE = LeaverAction("assign", "Change supervisor", heir="staff")
UNSUPERVISE = LeaverAction("remove", "Leave without a supervisor")
REVOKE = LeaverAction("revoke", "Revoke access")
DECLINE = LeaverAction("decline", "Decline proposal")
CONFIRM_AGAIN = LeaverAction("reopen", "Have another admin confirm it")
ASSIGN = LeaverAction("assign", "Assign to successor", heir="anybody")
PAUSE = LeaverAction("pause", "Pause subscription")
KEEP_ENTERING = LeaverAction("keep", "Leave it: its bills are entered as before")
KEEP_PAUSED = LeaverAction("keep", "Leave it paused")
PAUSE_BILL = LeaverAction("pause", "Pause recurring bill")
END_BILL = LeaverAction("end", "End recurring bill")
# It runs with the rights of whoever set it up or took it over last.
TAKE_OVER = LeaverAction("take_over", "Run it as the approver who carries this step out")
END_TOP_UP = LeaverAction("end", "End top-up")
RULE_OVER = LeaverAction("take_over", "Run it as the admin who carries this step out")
RULE_OFF = LeaverAction("off", "Switch off")
KEEP_DRAFT = LeaverAction("keep", "Leave it: whoever pays can go on with it")
CANCEL_BILL = LeaverAction("cancel", "Cancel bill")
CANCEL_PAYMENT = LeaverAction("cancel", "Withdraw payment")
CANCEL_PAYOUT = LeaverAction("cancel", "Cancel payout")
END_EXEMPTION = LeaverAction("end", "End exemption")
PASS_EXEMPTION = LeaverAction("assign", "Give exemption to successor", heir="anybody")
KEEP_CHECKING = LeaverAction("keep", "Leave with those who check")
CLOSE = LeaverAction("close", "Close card")
BLOCK = LeaverAction("block", "Block card")
KEEP_DECIDING = LeaverAction("keep", "Leave with those who decide")


def replaced_by(heir: str) -> LeaverAction:
    """The heir takes the seat; `heir` says who can."""
    return LeaverAction("replace", "Give seat to successor", heir=heir)


def returned_to(org_wallet_ref: str, name: str) -> LeaverAction:
    """The money goes back to this wallet of the business."""
    return LeaverAction(f"take_back:{org_wallet_ref}", f"Return to {name}")


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """One thing that somebody leaves behind: what it is, and what can be done about it, the usual thing first."""

    kind: str
    remote_id: str
    title: str
    choices: tuple[LeaverAction, ...]

    @property
    def key(self) -> str:
        """What its fields are named by."""
        return f"{self.kind}-{self.remote_id}"

    def choice(self, name: str) -> LeaverAction:
        """The choice of this name; KeyError where it has none such."""
        chosen = next((choice for choice in self.choices if choice.name == name), None)
        if chosen is None:
            raise KeyError(name)
        return chosen


# The headings of the kinds, in the order in which they are dealt with.
HOLDING_KINDS = {
    "suspend": "Account",
    "membership": "Dashboard access",
    "member": "Access under the same address",
    "delegation": "Delegations",
    "review": "Team reviews",
    "report": "Reports",
    "workflow": "Workflow approvers",
    "mandate": "Mandate approvers",
    "operator": "Fund accounts",
    "wallet_policy": "Wallet access",
    "exemption": "Policy exemptions",
    "proposal": "Proposals",
    "subscription": "Subscriptions",
    "bill_schedule": "Recurring bills",
    "top_up": "Recurring top-ups",
    "category_rule": "Rules that categorise",
    "draft_bill": "Draft bills",
    "draft_payment": "Draft bill payments",
    "draft_payout": "Draft payouts",
    "card": "Cards",
    "funds": "Funds",
    "expense": "Expenses",
    "approval": "Payment requests",
    "request": "Other requests",
    "sample": "Approvals to check again",
}


def for_roles(roles: Iterable[Role]) -> str:
    """Who has to do it: "For an approver or a super admin." """
    held = set(roles)
    named = [f"{'an' if role.label[0] in 'AEIOU' else 'a'} {str(role.label).lower()}" for role in Role if role in held]
    return f"For {' or '.join(named)}."
