"""The files of a bill that is there already, opened, and another bill that has nearly the same picture."""

import hashlib
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.documents.looks import near_pictures
from dashboard.documents.models import PictureLook
from dashboard.documents.opening import opened
from dashboard.documents.readings import PROBLEMS, UNREAD
from dashboard.documents.reasons import is_known_costly
from dashboard.documents.sources import content_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills
from dashboard.pages.bills.selectors.bills import files_of
from dashboard.pages.bills.selectors.entry import Dropped

# So many are read beside the form, the newest: the viewer opens the others on demand.
MOST_OPENED = 3


@dataclass(frozen=True, slots=True)
class AttachedFiles:
    """The newest files of a bill, opened, the newest first; `problem` says which of them could not be read now, and which e-invoice inside was not."""

    files: list[Dropped]
    problem: str = ""


def attached_files(actor: Actor, bill: Bill) -> AttachedFiles:
    """The newest MOST_OPENED files of a bill, opened; those that the service does not give now are left out, and named."""
    files, problems = [], []
    for document in files_of(bill)[: -MOST_OPENED - 1 : -1]:
        try:
            content = content_of(actor, document)
        except FinanceError as trouble:
            problems.append(f"{document.name} could not be opened: {trouble.user_message}")
            continue
        # The viewer tries it again by itself; a form does not wait for it each time.
        if is_known_costly(actor.business, content):
            problems.append(f"{document.name}: {PROBLEMS['costly']}")
            continue
        attached = Dropped(document, opened(content), hashlib.sha256(content).hexdigest())
        problems.append(UNREAD.get(attached.opened.reading.unread, ""))
        files.append(attached)
    return AttachedFiles(files, " ".join(filter(None, problems)))


def bill_of_like_picture(actor: Actor, bill: Bill) -> Bill | None:
    """The newest other bill that has a picture nearly like one of this bill's files; None for none. A cancelled one is none."""
    if not bill.file_hashes:
        return None
    pictures = PictureLook.objects.filter(business=actor.business, sha256__in=bill.file_hashes)
    near = {
        sha256
        for look, own in pictures.values_list("look", "sha256")
        for sha256 in near_pictures(actor.business, look, own)
    }
    if not near:
        return None
    rows = visible_bills(actor).filter(file_hashes__overlap=sorted(near)).exclude(status="CANCELLED")
    other: Bill | None = rows.exclude(pk=bill.pk).order_by("-issued_on", "-pk").first()
    return other
