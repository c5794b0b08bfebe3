"""What both programs say of themselves while they run: lines of a log, and traces, with the same ids in both.

It stands below both programs and knows nothing of either.
"""
