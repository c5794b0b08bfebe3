"""Exact Online: Import → XML, topic GLTransactions, into the general journal.

An amount above zero is a debit of the business's own books, in the currency that it names; days are ISO. The entry's
number is left to Exact Online. XML needs no mark against formulas: what people wrote is text there.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from dashboard.journal_exports.formats.file import ExportFile, amount_text, export_text
from dashboard.journal_exports.mapped_lines import MappedLine, postings

# The general journal of a new administration, and the kind of entry that is made in it by hand.
JOURNAL, GENERAL = "90", "90"
LONGEST_TEXT = 60


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """One file with every posting as a transaction of the general journal."""
    root = ET.Element("eExact")
    transactions = ET.SubElement(root, "GLTransactions")
    for name, journal in postings(rows):
        first = journal[0].line
        entry = ET.SubElement(transactions, "GLTransaction")
        ET.SubElement(entry, "TransactionType", number=GENERAL)
        ET.SubElement(entry, "Journal", code=JOURNAL)
        ET.SubElement(entry, "Description").text = f"Posting {name}"
        ET.SubElement(entry, "Date").text = first.effective_on.isoformat()
        for number, row in enumerate(journal, start=1):
            _line(entry, number, row)
    ET.indent(root)
    content = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return [ExportFile(f"{stem}-exact-online.xml", content, len(rows))]


def _line(entry: ET.Element, number: int, row: MappedLine) -> None:
    line = row.line
    element = ET.SubElement(entry, "GLTransactionLine", type=GENERAL, linetype="0", line=str(number), status="20")
    ET.SubElement(element, "Date").text = line.effective_on.isoformat()
    ET.SubElement(element, "FinYear", number=str(line.effective_on.year))
    ET.SubElement(element, "FinPeriod", number=str(line.effective_on.month))
    ET.SubElement(element, "GLAccount", code=row.account.code)
    ET.SubElement(element, "Description").text = export_text(line.description or line.ref, LONGEST_TEXT)
    if row.dimension:
        ET.SubElement(element, "Costcenter", code=row.dimension)
    if row.tags:
        ET.SubElement(element, "Costunit", code=row.second_dimension)
    amount = ET.SubElement(element, "Amount")
    ET.SubElement(amount, "Currency", code=line.currency)
    ET.SubElement(amount, "Value").text = amount_text(line.amount)
    if row.tax:
        ET.SubElement(amount, "VAT", code=row.tax)
