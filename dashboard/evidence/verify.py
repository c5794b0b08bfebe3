#!/usr/bin/env python3
"""Verifies an evidence pack: python3 -I verify.py [PACK.zip or folder] [--key FINGERPRINT]

It needs Python 3.8 or later and nothing else, and asks nobody. It checks that the manifest was signed with the public
key in the pack (Ed25519, RFC 8032), that every file is as the manifest lists it and none is missing or added, and that
each line of the audit log is the one that its link of the hash chain was made of. The key's fingerprint must be compared
with the one that the business gives you: --key does it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
import zipfile
from typing import Any, Dict, List, Optional, Tuple

P = 2**255 - 19
Point = Tuple[int, int, int, int]
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_NEGATIVE = pow(2, (P - 1) // 4, P)
MANIFEST, SIGNATURE, AUDIT = "manifest.json", "manifest.sig", "audit.json"


class WrongError(Exception):
    """The pack is not what was signed."""


def add(a: Point, b: Point) -> Point:
    """The sum of two points, in extended coordinates."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    return ((f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P)


def times(factor: int, point: Point) -> Point:
    """A point added to itself so many times."""
    total: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = add(total, point)
        point, factor = add(point, point), factor >> 1
    return total


def same(a: Point, b: Point) -> bool:
    """Whether two points are one."""
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def point_of(data: bytes) -> Optional[Point]:
    """The point that 32 bytes stand for; None where they stand for none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_NEGATIVE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature (64 bytes) of the message is by the key (32 bytes)."""
    if len(signature) != 64 or len(key) != 32:
        return False
    public, r = point_of(key), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    base_y = 4 * pow(5, P - 2, P) % P
    base = point_of(base_y.to_bytes(32, "little"))
    if base is None or public is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return same(times(s, base), add(r, times(h, public)))


def files_of(place: str) -> Dict[str, bytes]:
    """The files of a pack by their names: of a ZIP file, or of a folder."""
    if os.path.isdir(place):
        pack = {}
        for folder, _, names in os.walk(place):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    pack[os.path.relpath(path, place).replace(os.sep, "/")] = file.read()
        return pack
    with zipfile.ZipFile(place) as archive:
        names = archive.namelist()
        if len(names) != len(set(names)):
            raise WrongError("a file is in the archive twice")
        return {name: archive.read(name) for name in names}


def check_files(pack: Dict[str, bytes], manifest: Any) -> None:
    """Every file is as it is listed, and no other is there."""
    listed = {row["name"]: row for row in manifest["files"]}
    present = set(pack) - {MANIFEST, SIGNATURE}
    for name in sorted(set(listed) - present):
        raise WrongError("missing file: " + name)
    for name in sorted(present - set(listed)):
        raise WrongError("file that is not in the manifest: " + name)
    for name, row in listed.items():
        if len(pack[name]) != row["bytes"] or hashlib.sha256(pack[name]).hexdigest() != row["sha256"]:
            raise WrongError("changed file: " + name)


def check_chain(rows: Any) -> None:
    """Each line is the one that its link was made of; links that follow each other hang together."""
    before = None
    for row in rows:
        line = json.dumps(row["line"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        text = row["before"] + "\n" + str(row["number"]) + "\n" + line
        if hashlib.sha256(text.encode()).hexdigest() != row["hash"]:
            raise WrongError("line " + str(row["line"]["id"]) + " of the audit log is not as it was sealed")
        if before is not None and row["number"] <= before["number"]:
            raise WrongError("the links of the audit log are not in order")
        if before is not None and row["number"] == before["number"] + 1 and row["before"] != before["hash"]:
            raise WrongError("link " + str(row["number"]) + " does not follow the one before it")
        before = row


def verify(place: str, expected_key: str) -> List[str]:
    """Raises WrongError, or answers with what was verified, as sentences."""
    pack = files_of(place)
    for name in (MANIFEST, SIGNATURE, AUDIT, "public-key.pem"):
        if name not in pack:
            raise WrongError("missing file: " + name)
    pem = [line for line in pack["public-key.pem"].decode().splitlines() if line and not line.startswith("-")]
    key = base64.b64decode("".join(pem))[-32:]
    fingerprint = hashlib.sha256(key).hexdigest()
    if expected_key and expected_key.lower() != fingerprint:
        raise WrongError("signed with another key: " + fingerprint)
    if not is_signed(key, pack[MANIFEST], pack[SIGNATURE]):
        raise WrongError("the signature of the manifest is wrong")
    manifest = json.loads(pack[MANIFEST].decode())
    check_files(pack, manifest)
    rows = json.loads(pack[AUDIT].decode())
    check_chain(rows)
    if len(rows) != manifest["audit_lines"]:
        raise WrongError("the manifest counts other lines of the audit log")
    return [
        manifest["title"] + ", " + manifest["business"] + ", made " + manifest["made_at"],
        "As they were signed: files "
        + str(len(manifest["files"]))
        + ", lines of the audit log "
        + str(len(rows))
        + ".",
        "Key: " + fingerprint + (" (as given)" if expected_key else " (compare it with what the business gives you)"),
    ]


def main(arguments: List[str]) -> int:
    """Prints what was verified and answers 0, or what is wrong and answers 1."""
    expected_key = ""
    if "--key" in arguments:
        at = arguments.index("--key")
        expected_key = arguments[at + 1] if at + 1 < len(arguments) else "none was given"
        arguments = arguments[:at] + arguments[at + 2 :]
    place = arguments[0] if arguments else os.path.dirname(os.path.abspath(__file__))
    try:
        sentences = verify(place, expected_key)
    except (WrongError, OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
        print("NOT VERIFIED: " + str(problem))
        return 1
    print("VERIFIED")
    print("\n".join(sentences))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
