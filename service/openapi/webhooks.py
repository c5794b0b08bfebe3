"""The webhooks of the v2 document: one for each kind of event, with the object that it carries."""

from typing import Any

from service.events.kinds import KINDS
from service.events.schemas import EventOut

Json = dict[str, Any]
HEADERS = {
    "WebhookId": (
        "webhook-id",
        "The event's id, the same at each attempt: deliver once by it.",
        "0192f0c0ffee000012345678",
    ),
    "WebhookTimestamp": ("webhook-timestamp", "Seconds since 1970 at this attempt.", "1772443800"),
    "WebhookSignature": (
        "webhook-signature",
        "`v1,` and the base64 of the HMAC-SHA256 of id.timestamp.body by the endpoint's secret; two of them, with a blank"
        " between, while a secret is rotated.",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
}
CARRIED = {
    "_id": {"type": "string", "description": "What it is about."},
    "version": {"type": "integer", "description": "Grows with every change: of two, the greater is the newer."},
    "updated_at": {"type": "string", "format": "date-time", "description": "When it was last changed."},
}


def add_webhooks(document: Json) -> None:
    """Adds `webhooks`, and the schema and the headers that only they need."""
    schemas, parameters = document["components"]["schemas"], document["components"]["parameters"]
    for key, (name, description, sample) in HEADERS.items():
        parameters[key] = {
            "in": "header", "name": name, "required": True, "description": description,
            "schema": {"type": "string", "examples": [sample]},
        }  # fmt: skip
    schemas["EventObject"] = {
        "title": "EventObject",
        "type": "object",
        "description": "What every object of an event carries.",
        "required": list(CARRIED),
        "properties": CARRIED,
    }
    document["webhooks"] = {kind: {"post": _webhook(kind, schema)} for kind, schema in KINDS.items()}


def _webhook(kind: str, schema: str) -> Json:
    carried: list[Json] = [{"$ref": "#/components/schemas/EventObject"}]
    if schema:
        carried.insert(0, {"$ref": f"#/components/schemas/{schema}"})
    noun, _, verb = kind.partition(".")
    words = f"{noun.replace('_', ' ')} {verb.replace('_', ' ').replace('.', ' ')}"
    return {
        "operationId": f"on_{kind.replace('.', '_')}",
        "summary": words[0].upper() + words[1:],
        "description": f"Sent once `{kind}` has happened, signed by Standard Webhooks 1.0.0.",
        "tags": ["Webhooks"],
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in HEADERS],
        "requestBody": {
            "description": "The event.",
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "allOf": [
                            {
                                "type": "object",
                                "properties": {
                                    "type": {"const": kind, "description": "Kind of the event."},
                                    "data": {
                                        "type": "object",
                                        "description": "What it was about.",
                                        "properties": {
                                            "object": {
                                                "description": "The whole object after the event.",
                                                **({"allOf": carried} if schema else carried[0]),
                                            }
                                        },
                                    },
                                },
                            },
                            {"$ref": f"#/components/schemas/{EventOut.__name__}"},
                        ]
                    }
                }
            },
        },
        "responses": {
            "2XX": {"description": "Taken. Anything else is tried again, for about three days."},
            "410": {"description": "Gone: the endpoint is disabled."},
        },
    }  # fmt: skip
