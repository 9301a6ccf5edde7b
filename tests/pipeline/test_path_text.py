"""How the steps of a path read to a person."""

import pytest

from pipeline.command_line.answers import _link
from query_service.paths import Via


def test_a_step_along_an_edge_names_it_and_points_from_cause_to_effect() -> None:
    assert _link("causes", None, forward=True) == "└─ causes →"
    assert _link("updates", "replaces", forward=False) == "└─ ← updates (replaces)"


@pytest.mark.parametrize("via", [via for via in Via if via.value in ("branch", "session", "topic")])
def test_a_step_between_what_was_only_said_close_by_says_where_and_claims_no_direction(via: Via) -> None:
    for forward in (True, False):
        told = _link(via.value, None, forward=forward)
        assert told.startswith("└─ said ")
        assert via.value in told
        assert "→" not in told
        assert "←" not in told
