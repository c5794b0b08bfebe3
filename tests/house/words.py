"""The words that were replaced on the screen, what is said instead, and where one of them is right."""

import re

# What was said, and what is said instead. Anywhere in a text: phrases that mean nothing else.
PHRASES: dict[str, str] = {
    r"[Ss]tand(?:s|ing)? in\b": "Delegation, Delegate",
    r"[Hh]and(?:s|ed)?(?: \w+){0,2} over\b": "Delegate",
    r"[Hh]anded on\b": "delegated again",
    r"From the beginning of|To the end of": "Start date, End date",
    r"Needs a look": "Needs attention",
    r"What is known": "Details",
    r"Asked of you": "Action required",
    r"Why you\b(?!'re)": "Why you're approving",
    r"[Rr]eceipt is here": "Receipt attached",
    r"\bspent it\b": "Submitted by",
    r"Good until": "Expires",
    r"Any state": "Any status",
    r"Keep what is shown": "Save view as",
    r"see the plan|: the plan": "Review …",
    r"[Ww]ill pass": "Will be approved",
    r"[Tt]ak(?:en?|es|ing) (?:it )?back\b|\btook back\b": "Undone, Withdrawn",
    r"\b[Ll]a(?:y|id|ys) .{0,12}aside": "Dismiss flag",
    r"Look after it": "Manage",
    r"Bought with it": "Transactions",
    r"new digits": "Replace card number",
    r"may be used for": "Spending controls",
    r"limits? over time": "Spending limit",
    r"begins anew": "Resets",
    r"One purchase now": "Per-transaction limit",
    r"For codes alone": "MCCs only",
    r"For a while": "Temporary limit",
    r"Try its like": "Simulate a purchase",
    r"card for one purchase": "Single-use card",
    r"\bmay take\b|at most this": "Up to this amount",
    r"Expected in": "Pending in",
    r"[Tt]he least\b": "Lowest balance, at least",
    r"Worth now|Put in, less|In its wallets|Paid out after|Ask to hold": "Current value, Net contributions, Cash, …",
    r"[Ss]how(?:s)? that it is|it is you\b": "Verify it's you",
    r"not yours to|here you are": "You don't have permission",
    r"I am told|daily mail|Decisions on yours": "Notification settings, Daily digest, Decisions on my requests",
    r"of the office": "Finance",
    r"one vote more": "one extra approval required",
    r"Letters, and what": "Legend and role defaults",
    r"[Bb]y hand\b": "manual",
    r"[Cc]hanges? of access": "Access change",
    r"What (?:became|came) of": "Result",
    r"Take the filters away": "Clear filters",
    r"Leave it as it is": "Cancel",
    r"\b[Ee]xchange[ds]?\b(?! rate)": "FX, convert",
    r"\bat once\b": "immediately; of a number: at a time",
    # How often is said with what was counted: 912 transactions, three attempts.
    r"(?:\x00|\b\d[\d,]*|\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Tt]en|[Ss]everal|[Mm]any)) times\b": "912 transactions",
    # Of a card; not a part of an address.
    r"(?<![\w./])(?:[Rr]etir(?:ed|es|ing)|Retire|retire (?:it|this|the|a))\b": "Close card",
    r"\b(?:is|are|was|were|been|funds) reserved\b": "On hold",
    r"^Made (?:by|from|on|at)\b": "Created",
    # Beside a blank: a field's name is a word by itself.
    r"(?<=[\s\x00])[Vv]ot(?:e|es|ed|ing)\b|\b[Vv]ot(?:e|es|ed|ing)(?=\s)": "Approval, approve, decide",
    r"[Pp]ayment (?:method|instruction)s?\b": "Payment account",
    r"\b[Ff]iled (?:under|otherwise|after|later)\b|\b(?:is|are|was|were) filed\b": "Categorised",
    r"\b(?:go|goes|gone) another way\b": "decided differently",
    r"\bMails\b|\b(?:[Tt]he|[Aa]|[Nn]o|[Bb]y|[Tt]his) mails?\b|\b[Ee]-mail": "Email",
}
ANY_PHRASE = re.compile("|".join(f"(?:{phrase})" for phrase in PHRASES))
# The whole of a text: words that stand for other things within a sentence.
WHOLE: dict[str, str] = {
    "Together": "Total", "Keys": "Keyboard shortcuts", "Checked": "Checks", "Books": "Posted",
    "Made": "Created", "State": "Status", "Show": "Apply", "Everything": "All", "Taken": "Settled", "Retire": "Close card",
    "Reserved": "On hold", "Exchange": "FX", "A year": "Annual yield", "Unit": "Unit price", "Charged": "Billing",
    "Whose": "Owner", "Mails": "Emails", "Mail": "Email", "Look": "View", "From": "Start date, Requested by, Minimum",
}  # fmt: skip
# Where one of them is right, and why: {path: {text}}.
EXCEPTIONS: dict[str, set[str]] = {
    # States of an import: its file was checked; and one that no page shows, which a migration would have to rename.
    "dashboard/lists/models.py": {"Checked", "Taking back"},
    # The period of a budget.
    "service/budgets/models.py": {"A year"},
    # Heads of a column as people write them, in a file that is imported.
    "dashboard/pages/customers/forms.py": {"e-mail"},
    "dashboard/pages/people/forms/newcomers.py": {"e-mail"},
    # What people call the columns of a table that is pasted.
    "dashboard/pages/payouts/services/lines.py": {"payment method"},
    # The service's own word for it, which programmers read in its documents and no page shows.
    "service/approvals/schemas.py": {
        "The employees who may vote now; all others wait for them.",
        "Only what the acting employee may vote on now.",
    },
    "service/approvals/schemas_workflows.py": {
        "Whether the bill payments that wait for votes under it get its steps, too. The votes of those who sit in them count.",
    },
    "service/investments/v2.py": {"Read an opt-in and its votes"},
    "service/investments/models.py": {"the mandate's request for votes"},
    "service/business_policies/models.py": {"Waits for votes"},
    "service/categories/v2.py": {
        "Delete a category that nothing is filed under",
        "Delete a subcategory that nothing is filed under",
    },
    "service/accounting/v2_journal_exports.py": {"What was exported and is filed otherwise now"},
    # Published names of events.
    "service/events/kinds.py": {"activated blocked created expired reissued retired unblocked updated"},
}
# All that stood on the screen before its words were chosen, one after the other as they were listed.
BEFORE = """Standing in · Who stands in · Hand my items over · From the beginning of · To the end of · Needs a look · Together ·
What is known · Asked of you · Keys · Why you · From · Checked · Receipt is here · Carla spent it · Books · Made · Good until ·
State · Show · Keep what is shown as · Everything · Approve: see the plan · will pass · Approve several: the plan · Taken back ·
Lay aside · Look after it · Taken · Bought with it · Give it new digits · Retire · What it may be used for · no limit over time ·
begins anew · One purchase now · For codes alone · For a while · Try its like · Ask for a card for one purchase · It may take ·
at most this · Expected in · Reserved · Exchange · leaves at once · The least · Worth now · Put in, less taken out ·
In its wallets · A year · Unit · Paid out after · Ask to hold · Charged · Whose · 912 times · Show that it is me ·
asks you to show that it is you · This is not yours to do · here you are a admin · What I am told · The daily mail ·
Decisions on yours · Mails · somebody of the office decides · A high risk asks for one vote more ·
Letters, and what each role gives by itself · you have voted on this · payment method · payment instruction ·
filed under Travel · would have gone another way"""
