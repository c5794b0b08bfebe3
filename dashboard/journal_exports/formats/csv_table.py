"""CSV for people and their spreadsheets: whatever could be run as a formula is marked, and every text quoted."""

import io
from collections.abc import Sequence

from dashboard.journal_exports.formats.file import ExportFile
from dashboard.journal_exports.formats.table import HEADINGS, cells, summary
from dashboard.journal_exports.mapped_lines import MappedLine
from dashboard.spreadsheet import rows_writer, safe_row


def write(rows: Sequence[MappedLine], stem: str, company: str) -> list[ExportFile]:
    """One file with every line, and the sums of each currency below."""
    text = io.StringIO(newline="")
    writer = rows_writer(text)
    writer.writerow(safe_row(HEADINGS))
    writer.writerows(safe_row(cells(row)) for row in rows)
    writer.writerow(())
    writer.writerows(safe_row(line) for line in summary(rows))
    # The mark at the beginning tells spreadsheets that this is UTF-8.
    return [ExportFile(f"{stem}.csv", text.getvalue().encode("utf-8-sig"), len(rows))]
