"""The preview of a change of a policy or of a workflow: it as it is and as it would be, and its newest replay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dashboard.access.actor import Actor
from dashboard.impact.consequences import Consequence
from dashboard.policies.findings import RuleFinding
from dashboard.policies.models import Replay
from dashboard.policies.replay_text import replay_summary
from dashboard.policies.replays import change_digest, replay_of
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.workflows import Workflow
from dashboard.web.change_steps import ChangePreview

LOOK = "policies/look.html"


@dataclass(frozen=True, kw_only=True)
class GovernedPreview(ChangePreview):
    """The preview of a change of a policy or a workflow: `before` and `after` are it as it is and as it would be, None
    where there is none; `replay` the newest replay of exactly this change."""

    template: str = LOOK
    can_replay: bool = True
    before: SpendPolicy | Workflow | None = None
    after: SpendPolicy | Workflow | None = None
    replay: Replay | None = field(default=None)

    @property
    def digest(self) -> str:
        """What names this change: another draft, or another version to begin from, has another."""
        return change_digest(self.target_type, self.before, self.after)


def with_replay(actor: Actor, preview: GovernedPreview) -> GovernedPreview:
    """The preview with the newest replay of exactly this change, whose result is one of its consequences."""
    replay = replay_of(actor, preview.digest)
    if replay is None or not replay.is_done:
        return replace(preview, replay=replay)
    summary, consequences = replay_summary(replay), preview.consequences
    return replace(
        preview,
        replay=replay,
        consequences=lambda: [*consequences(), *(Consequence(text, grave) for text, grave in summary)],
    )


def as_consequences(findings: Iterable[RuleFinding]) -> list[Consequence]:
    """What the findings about a rule say, as consequences of its change."""
    return [Consequence(finding.text, finding.grave) for finding in findings]
