"""What of a message is searched."""

import pytest

from state.model import Role
from state.notes import note_text
from tests.query_service.worlds import World


def text(speaker: str, role: Role = Role.USER) -> str:
    world = World()
    world.say("m1", 0, "I moved to Porto.", speaker, role)
    return note_text(world.messages[0])


def test_a_name_is_part_of_the_note() -> None:
    assert text("Ada") == "Ada: I moved to Porto."
    assert text("陈卓") == "陈卓: I moved to Porto."


@pytest.mark.parametrize("speaker", ["User", "assistant", "AGENT"])
def test_a_speaker_called_after_a_role_is_not(speaker: str) -> None:
    assert text(speaker) == "I moved to Porto."
