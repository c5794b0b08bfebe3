"""What the dashboard counts and times of itself, by Prometheus's own client (docs/monitoring.md says what each is for).

With PROMETHEUS_MULTIPROC_DIR set, the processes of one machine add up in files there; without it each counts alone.
No label names a person, a business or an item: labels are public to whoever watches.
"""

from prometheus_client import Counter, Histogram

PAGE_S = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
CALL_S = (0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8, 15)

ANSWERED_REQUESTS = Counter(
    "countersign_dashboard_requests",
    "Requests answered, by the name of the page and the status.",
    ["page", "method", "status"],
)
LIST_READS = Counter(
    "countersign_dashboard_list_reads",
    "Lists and exports, by the database that they were read from; of the primary with the reason.",
    ["source"],
)
REQUEST_S = Histogram(
    "countersign_dashboard_request_seconds", "How long a page took to answer.", ["page", "method"], buckets=PAGE_S
)
UPSTREAM_S = Histogram(
    "countersign_dashboard_upstream_seconds",
    "How long a call of the finance service took, with its retries; outcome is its status, or the name of the error.",
    ["operation", "outcome"],
    buckets=CALL_S,
)
