"""Which format a file is, by what it holds: its name is no proof."""

from dashboard.bank_statements import camt053, csv_table, mt940, ofx
from dashboard.bank_statements.statement import ParsedStatement, refuse

MOST_BYTES = 10 * 1024 * 1024
TOO_LARGE = "The file is larger than 10 MB: split it."
PARSERS = {camt053.NAME: camt053.parse, mt940.NAME: mt940.parse, ofx.NAME: ofx.parse}
NAMES = {camt053.NAME: "camt.053", mt940.NAME: "MT940", ofx.NAME: "OFX", csv_table.NAME: "CSV"}


def format_of(content: bytes) -> str:
    """The name of the format; StatementError for what is none of them."""
    if not content.strip():
        raise refuse("The file is empty.")
    if len(content) > MOST_BYTES:
        raise refuse(TOO_LARGE)
    head = content[:4096].lstrip(b"\xef\xbb\xbf \r\n\t")
    if b"OFXHEADER" in head or b"<OFX>" in head:
        return ofx.NAME
    if head.startswith(b"<"):
        return camt053.NAME
    if head.startswith((b":20:", b"{1:")) or b"\n:20:" in head:
        return mt940.NAME
    csv_table.table_of(content)
    return csv_table.NAME


def parse(content: bytes, source_format: str) -> ParsedStatement:
    """The statement of a file that says everything itself (all but CSV); StatementError."""
    return PARSERS[source_format](content)
