"""What is taken for the address of a caller."""

import pytest

from query_service.caller_address import address_of


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:DB8::1", "2001:db8::1"),
        ("fe80::1%eth0\x1b[31m", "fe80::1"),
        ("192.0.2.7\x1b[31m", None),
        ('192.0.2.7 "GET / 200"', None),
        ("unknown", None),
        ("_hidden", None),
        ("", None),
    ],
)
def test_an_address_is_one_or_none(told: str, address: str | None) -> None:
    assert address_of({"client": (told, 0)}) == address


def test_a_socket_without_addresses_has_none() -> None:
    assert address_of({"client": None}) is None
    assert address_of({}) is None
