"""The links that an English text states."""

import pytest

from operators.distill.english import ENGLISH
from state.model import EdgeType


def links(text: str) -> list[tuple[EdgeType, str, str]]:
    reading = ENGLISH.read(text)
    return [
        (
            link.type,
            reading.clauses[link.reason].text.strip(" ."),
            reading.clauses[link.result].text.strip(" ."),
        )
        for link in reading.connectives
        if link.reason >= 0
    ]


@pytest.mark.parametrize(
    "text",
    [
        "the rent went up, so I moved",
        "I moved because the rent went up",
        "I moved, since the rent went up",
        "Because the rent went up, I moved",
        "the rent went up. That's why I moved",
        "the rent went up. Because of that I moved",
    ],
)
def test_a_stated_reason_is_a_cause(text: str) -> None:
    ((kind, reason, result),) = links(text)
    assert kind is EdgeType.CAUSES
    assert "rent" in reason
    assert "moved" in result


def test_a_since_of_time_is_no_cause() -> None:
    assert links("I have worked here since 2019") == []
    assert links("I have lived here since last May") == []


def test_a_purpose_is_enabled() -> None:
    ((kind, _, _),) = links("I bought a bike so that I can ride to work")
    assert kind is EdgeType.ENABLES


def test_a_message_that_starts_with_so_points_back() -> None:
    (link,) = ENGLISH.read("So I moved to Ghent").connectives
    assert link.reason == -1


@pytest.mark.parametrize("reason", ["Owing to", "On account of", "As a result of", "In view of"])
def test_a_reason_that_is_named_again_is_a_cause_however_it_is_introduced(reason: str) -> None:
    assert links(f"The boiler leaked. {reason} the boiler the library is closed.") == [
        (EdgeType.CAUSES, "The boiler leaked", f"{reason} the boiler the library is closed")
    ]


def test_thanks_to_a_party_give_no_reason() -> None:
    assert links("We repaired the boiler. Thanks to you all!") == []
