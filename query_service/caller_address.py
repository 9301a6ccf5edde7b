"""The address that a request came from, in one form and nothing else.

A proxy that is trusted passes on what its caller wrote, which may be any text: it would stand in logs, and
each other text would be another caller to a limit.
"""

from collections.abc import MutableMapping
from ipaddress import ip_address
from typing import Any


def address_of(scope: MutableMapping[str, Any]) -> str | None:
    """The caller's IP address without the name of an interface, or None where there is none."""
    client = scope.get("client")
    if not client:
        return None
    try:
        return str(ip_address(str(client[0]).partition("%")[0]))
    except ValueError:
        return None
