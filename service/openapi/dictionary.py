"""What every field means: fields.toml put onto the schemas of a document, where the code itself says no more."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
FILE = Path(__file__).with_name("fields.toml")


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def entry(owner: str, name: str) -> tuple[str, Any]:
    """The sentence about a field of a schema, and its example (None: by its type alone); "" where nothing is said."""
    definition = _file()["schema"].get(owner, {}).get(name, _file()["field"].get(name, ""))
    return (definition, None) if isinstance(definition, str) else (definition[0], definition[1])


def names() -> set[str]:
    """Every name that the dictionary knows: none may be left that no field has."""
    return set(_file()["field"])


def overrides() -> set[tuple[str, str]]:
    """Every (schema, field) for which the dictionary has a sentence of its own: none may be left that no schema has."""
    return {(owner, name) for owner, fields in _file()["schema"].items() for name in fields}


def left_out(owner: str) -> set[str]:
    """The fields that an example of a schema is without."""
    return set(_file()["left_out"].get(owner, []))


def all_left_out() -> dict[str, set[str]]:
    """Per schema the fields that its example is without."""
    return {owner: left_out(owner) for owner in _file()["left_out"]}


def describe(schemas: dict[str, Schema]) -> None:
    """Gives each property of these schemas a description."""
    for owner, schema in schemas.items():
        for name, field in schema.get("properties", {}).items():
            if "description" not in field:
                sentence, _ = entry(owner, name)
                if sentence:
                    field["description"] = sentence


def describe_parameter(parameter: Schema) -> None:
    """Gives a parameter of an operation a description, where it has none."""
    if "description" in parameter or "$ref" in parameter:
        return
    sentence = PATHS.get(parameter["name"], "") if parameter["in"] == "path" else ""
    sentence = sentence or parameter["schema"].get("description", "") or entry("", parameter["name"])[0]
    if sentence:
        parameter["description"] = sentence


# What stands in a path.
PATHS = {
    "id": "Its identifier.",
    "_id": "The employee.",
    "account_id": "Number of the ledger account.",
    "accountNumber": "Account number, ten digits.",
    "approver_id": "The seat in the mandate.",
    "batch_no": "Number of the payout.",
    "billId": "The bill.",
    "budgetId": "The budget.",
    "businessId": "The business: the client's own.",
    "businessPolicyId": "The policy.",
    "categoryId": "The category.",
    "channel": "How the vendors were paid, such as MPESA_PAYBILL.",
    "contactId": "The contact of the vendor.",
    "documentId": "The document.",
    "duplicateId": "The vendor that is the same one.",
    "employeeId": "The employee.",
    "employee_id": "The employee.",
    "expenseId": "The expense.",
    "export_id": "The journal export.",
    "fileId": "The file.",
    "fundAccountId": "The fund account.",
    "fund_account_id": "The fund account.",
    "fund_id": "The fund.",
    "instructionId": "The account of the vendor.",
    "jobId": "The export job.",
    "line_id": "The line of the bank statement.",
    "mandate_id": "The mandate.",
    "org_wallet_ref": "Reference of the wallet.",
    "paymentRef": "Reference of the payment.",
    "period": "Month, such as 2026-03.",
    "posting_id": "Number of the posting.",
    "policyId": "The policy, or the group of policies.",
    "ref": "Reference of the opt-in.",
    "rule_id": "The rule for bank lines.",
    "role_id": "Name of the role, such as REVIEWER.",
    "statement_id": "The bank statement.",
    "subcategoryId": "The subcategory.",
    "taxId": "The tax.",
    "token": "The signed permission that `download_url` holds.",
    "transactionRef": "Reference of the transaction.",
    "vendorId": "The vendor.",
    "walletId": "The wallet.",
    "workflowId": "The workflow.",
}
