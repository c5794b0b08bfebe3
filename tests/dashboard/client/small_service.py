"""A small but real finance service over HTTP: tokens, expenses, payment requests, card orders, wallet policies, what
pages change by themselves, keys that work once.

For what the dashboard's client must survive; put tests/faults.py before it to make it fail. `effects` is what was
really done, in order: nothing may be in it twice.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

STATUS = {"approve": "APPROVED", "reject": "REJECTED", "requestDetails": "DETAILS_REQUESTED"}
ON_ORDERS = {"POST": "approve", "PATCH": "reject"}


@dataclass
class SmallService:
    """`expenses` and `approvals` by id; `needs` votes that a request takes; `token_life` seconds."""

    expenses: dict[str, dict[str, Any]] = field(default_factory=dict)
    approvals: dict[str, dict[str, Any]] = field(default_factory=dict)
    orders: dict[str, dict[str, Any]] = field(default_factory=dict)
    policies: dict[str, dict[str, Any]] = field(default_factory=dict)
    needs: int = 2
    token_life: int = 3600
    honours_keys: bool = True
    # What it says of one of several that it refuses, beside the code.
    row_detail: str = ""
    entitled: bool = True
    # What it advertises in RateLimit-Policy.
    policy: str = ""
    # Seconds between doing something and answering.
    pause_s: float = 0.0
    tokens: list[str] = field(default_factory=list)
    refuse_tokens: bool = False
    effects: list[tuple[str, str, str]] = field(default_factory=list)
    requests: list[tuple[str, str, dict[str, str], Any]] = field(default_factory=list)
    answers: dict[str, tuple[int, Any]] = field(default_factory=dict)
    # What was done under each key, whether or not it honours keys: the bodies that it answered with.
    done: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        handler = type("Handler", (_Handler,), {"service": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.lock = threading.RLock()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server.server_address[1]}"

    def __enter__(self) -> SmallService:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def know(self, row: Any) -> None:
        """An expense, payment request or card order of the mirror exists here too."""
        if getattr(row, "kind", "") == "card_order":
            self.orders[row.remote_id] = {"_id": row.remote_id, "status": row.status, "decided_by": None, "version": 1}
        elif hasattr(row, "employee_id"):
            self.expenses[row.remote_id] = {
                "_id": row.remote_id,
                "status": row.status,
                "amount": 1250.5,
                "amount_minor": row.amount_minor,
                "currency": row.currency,
                "employee_id": row.employee_id,
                "person": row.employee_name,
                "team": {"_id": row.team_id, "name": "", "code": ""},
                "receiver": row.merchant,
                "transaction_date": row.transaction_date.isoformat(),
                "reviewed_by": None,
                "version": 1,
            }
        else:
            self.approvals[row.remote_id] = {
                "_id": row.remote_id,
                "status": row.status,
                "kind": row.kind,
                "ref": row.ref,
                "title": row.title,
                "amount": 50000,
                "amount_minor": row.amount_minor,
                "currency": row.currency,
                "requested_by": row.requested_by_id,
                "requested_at": row.requested_at.isoformat(),
                "eligible": row.eligible,
                "votes": [],
                "approvals_required": self.needs,
                "approvals_given": 0,
                "version": 1,
            }

    def decide(self, kind: str, one: str, verb: str, who: str) -> tuple[int, Any]:
        """Does it, or refuses in the interface's words."""
        thing = (self.expenses if kind == "expense" else self.approvals).get(one)
        if thing is None:
            return 404, problem(404, "not_found", "There is no such thing.")
        if thing["status"] not in {"PENDING", "DETAILS_REQUESTED"}:
            return 409, problem(409, "invalid_state", "It is no longer pending.")
        if kind == "expense":
            thing |= {"status": STATUS[verb], "reviewed_by": who}
        else:
            if who in [vote["employee_id"] for vote in thing["votes"]]:
                return 409, problem(409, "duplicate", "You have voted already.")
            thing["votes"].append({"employee_id": who})
            thing["approvals_given"] += 1
            if verb == "reject" or thing["approvals_given"] >= self.needs:
                thing["status"] = STATUS[verb]
        thing["version"] += 1
        self.effects.append((verb, one, who))
        return 200, thing

    def decide_order(self, one: str, verb: str, who: str) -> tuple[int, Any]:
        """Likewise a card order, by one person's word."""
        order = self.orders.get(one)
        if order is None:
            return 404, problem(404, "not_found", "There is no such thing.")
        if order["status"] != "REQUESTED":
            return 409, problem(409, "invalid_state", "It is no longer requested.")
        order |= {"status": "ORDERED" if verb == "approve" else "REJECTED", "decided_by": who}
        order["version"] += 1
        self.effects.append((verb, one, who))
        return 200, order

    def vote_on_bill(self, ref: str, verb: str, who: str) -> tuple[int, Any]:
        """A vote on the payment of a bill, by its reference; answers with the payment."""
        asked = next((row for row in self.approvals.values() if row["ref"] == ref), None)
        status, said = self.decide("approval", asked["_id"] if asked else "", verb, who)
        return (status, {"payment_ref": ref, "approval_status": said["status"]}) if status == 200 else (status, said)

    def change_policy(self, one: str, body: Any, who: str) -> tuple[int, Any]:
        """Changes a wallet policy."""
        policy = self.policies.get(one)
        if policy is None:
            return 404, problem(404, "not_found", "There is no such thing.")
        policy |= {"permissions": body["permissions"], "version": policy["version"] + 1}
        self.effects.append((f"modify {policy['version']}", one, who))
        return 200, policy

    def change(self, what: str, headers: dict[str, str], who: str) -> tuple[int, Any]:
        """Does what may be done any number of times, each time under a key of its own."""
        self.effects.append((what, headers["Idempotency-Key"], who))
        return 200, {"done": len(self.effects)}

    def answer(self, method: str, path: str, headers: dict[str, str], body: Any) -> tuple[int, Any]:
        """What the service says to an authorised request."""
        url = urlsplit(path)
        match [*url.path.removeprefix("/v2/").split("/")], method:
            case ["expenses"], "GET":
                return self._listed(self.expenses, url.query)
            case ["approvals", "all"], "GET":
                if not self.entitled:
                    return 403, problem(403, "entitlement_required", "Not entitled.")
                return self._listed(self.approvals, url.query)
            case ["accounts", one, "balance"], "GET":
                return 200, {"available": 10.25, "wallet": one}
            case ["expenses", verb, one], "POST":
                return self._once(headers, lambda who: self.decide("expense", one, verb, who))
            case ["expenses", verb], "POST":
                return self._once(headers, lambda who: self._several(verb, body["ids"], who))
            case ["bills", _, "payments", ref, verb], "POST":
                return self._once(headers, lambda who: self.vote_on_bill(ref, verb, who))
            case ["cards", "physical", "orders"], "GET":
                return self._listed(self.orders, url.query)
            case ["cards", "physical", "orders"], "POST" | "PATCH":
                return self._once(headers, lambda who: self._orders(ON_ORDERS[method], body["ids"], who))
            case ["wallet-policies", one], "GET":
                return (200, self.policies[one]) if one in self.policies else (404, problem(404, "not_found", "None."))
            case ["wallet-policies", one], "PATCH":
                return self._once(headers, lambda who: self.change_policy(one, body, who))
            case ["approvals", verb], "POST":
                return self._once(headers, lambda who: self.decide("approval", body["approval_id"], verb, who))
            case (
                (["cards", _, "block"], "PUT")
                | (["customers" | "accounts", _], "PUT")
                | (["fx", "transfer"], "POST")
                | (["investments", "accounts", _, "invest"], "POST")
            ):
                return self._once(headers, lambda who: self.change(f"{method} {url.path}", headers, who))
        return 404, problem(404, "not_found", "No such operation.")

    def _listed(self, rows: dict[str, Any], query: str) -> tuple[int, Any]:
        asked = parse_qs(query)
        page, limit = int(asked.get("page", ["1"])[0]), int(asked.get("limit", ["50"])[0])
        if limit > 1000:
            return 400, problem(400, "invalid_parameters", "limit is at most 1000")
        docs = list(rows.values())[(page - 1) * limit : page * limit]
        pages = max(1, -(-len(rows) // limit))
        return 200, {"docs": docs, "total": len(rows), "limit": limit, "page": page, "pages": pages}

    def _several(self, verb: str, ids: list[str], who: str) -> tuple[int, Any]:
        results = []
        for one in ids:
            status, said = self.decide("expense", one, verb, who)
            ok = status == 200
            results.append(self._row(one, ok, said) | {"expense": said if ok else None})
        return 200, {"results": results}

    def _orders(self, verb: str, ids: list[str], who: str) -> tuple[int, Any]:
        results = []
        for one in ids:
            status, said = self.decide_order(one, verb, who)
            ok = status == 200
            results.append(self._row(one, ok, said) | {"order": said if ok else None})
        return 200, {"results": results}

    def _row(self, one: str, ok: bool, said: dict[str, Any]) -> dict[str, Any]:
        """What of one of several every answer says; what was refused with `row_detail`."""
        return {"id": one, "ok": ok, "code": "" if ok else said["code"], "detail": "" if ok else self.row_detail}

    def _once(self, headers: dict[str, str], act: Any) -> tuple[int, Any]:
        key = headers.get("Idempotency-Key", "")
        with self.lock:
            if self.honours_keys and key in self.answers:
                return self.answers[key]
            said = act(headers.get("X-Acting-Employee", ""))
            said = json.loads(json.dumps(said[0])), json.loads(json.dumps(said[1]))
            self.answers[key] = said
            if said[0] == 200:
                self.done.setdefault(key, []).append(said[1])
        time.sleep(self.pause_s)
        return said


def problem(status: int, code: str, detail: str) -> dict[str, Any]:
    return {"status": status, "code": code, "detail": detail, "request_id": "r-upstream", "errors": []}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: SmallService

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length) if length else b""
        headers = dict(self.headers)
        if self.path.endswith("/oauth/token"):
            return self._token()
        if headers.get("Authorization", "").removeprefix("Bearer ") not in self.service.tokens:
            return self._say(401, problem(401, "token_invalid", "The token is not valid."))
        body = json.loads(raw) if raw else None
        self.service.requests.append((self.command, self.path, headers, body))
        key = headers.get("Idempotency-Key", "")
        replayed = self.service.honours_keys and key in self.service.answers
        status, said = self.service.answer(self.command, self.path, headers, body)
        return self._say(status, said, replayed=replayed)

    def _token(self) -> None:
        if self.service.refuse_tokens:
            return self._say(401, {"error": "invalid_client"})
        with self.service.lock:
            self.service.tokens.append(f"at_{len(self.service.tokens)}_{id(self.service)}")
            token = self.service.tokens[-1]
        life = self.service.token_life
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": life, "scope": "expenses:read"}
        return self._say(200, answer)

    def _say(self, status: int, said: Any, *, replayed: bool = False) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Request-Id", "r-upstream")
        if replayed:
            self.send_header("Idempotency-Replayed", "true")
        if self.service.policy:
            self.send_header("RateLimit-Policy", self.service.policy)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing."""
