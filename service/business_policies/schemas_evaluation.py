"""What the policies said to a payment, on the wire: the decision with its trace."""

from ninja import Schema


class PolicyStepOut(Schema):
    """One policy that was asked. `outcome`: PASSED, BREACHED or EXEMPT."""

    policy_id: str
    type: str
    action: str
    outcome: str
    says: str


class PolicyEvaluationOut(Schema):
    """What the business's policies decided: ALLOW, FLAG, REQUIRE_APPROVAL or BLOCK, and why."""

    decision: str
    trace: list[PolicyStepOut]
