"""Causes that no word states: grounds beside what they lead to, and answers to a why."""

import pytest

from operators.derive import derive
from operators.distill.interface import UNSTATED
from operators.distill.rules import RULES, reading
from operators.relate.rules import RULES as RELATER
from state.model import EdgeType, Message, Role
from tests.operators.distill.conversation import messages

PAIR = tuple[str, str]


def grounds(text: str) -> list[PAIR]:
    read = reading(text)
    return [
        (read.clauses[link.reason].text.rstrip(" .!?"), read.clauses[link.result].text.rstrip(" .!?"))
        for link in read.connectives
        if not link.stated
    ]


def drawn(*lines: str) -> set[PAIR]:
    """Reason and result of each cause in a dialogue, as they are described."""
    view = derive(messages(*lines), RULES, RELATER)
    told = {event.id: event.description for event in view.events}
    return {(told[e.source], told[e.target]) for e in view.edges if e.type is EdgeType.CAUSES}


@pytest.mark.parametrize(
    ("text", "reason", "result"),
    [
        ("I'm freezing. Could you close the window?", "I'm freezing", "Could you close the window"),
        ("Could you close the window? I’m freezing.", "I’m freezing", "Could you close the window"),
        ("My lamp is broken. Please send me another.", "My lamp is broken", "Please send me another"),
        ("I had a fever. I couldn't come.", "I had a fever", "I couldn't come"),
        ("I couldn't come. I had a fever.", "I had a fever", "I couldn't come"),
        ("I could n't come . I had a fever .", "I had a fever", "I could n't come"),
        (
            "You look tired. You must have worked all night.",
            "You must have worked all night",
            "You look tired",
        ),
        ("I don't like pears. They're mushy.", "They're mushy", "I don't like pears"),
        ("I'm so thirsty. I'll get some water.", "I'm so thirsty", "I'll get some water"),
        ("我很冷。请关一下窗户。", "我很冷", "请关一下窗户"),
        ("请换一个新的。台灯坏了。", "台灯坏了", "请换一个新的"),
        ("我发烧了，去不了。", "我发烧了", "去不了"),
        ("我不喜欢这件。颜色太深了。", "颜色太深了", "我不喜欢这件"),
    ],
)
def test_a_need_or_trouble_is_why_one_asks_acts_or_cannot(text: str, reason: str, result: str) -> None:
    assert grounds(text) == [(reason, result)]


@pytest.mark.parametrize(
    "text",
    [
        "I'm Ines. Could you book me a table?",
        "I'm looking for a lamp. Please show me some.",
        "I'm sorry. Could you say that again?",
        "My number is 4471. Please call me.",
        "I'm happy with it. Please go on.",
        "Please call me. It is a blue lamp.",
        "I have a question. Can you tell me the price?",
        "我是王芳。请帮我订一张桌子。",
        "我的电话是4471。请打给我。",
    ],
)
def test_names_details_and_manners_are_no_ground(text: str) -> None:
    assert grounds(text) == []


def test_what_a_word_states_is_not_told_twice() -> None:
    links = reading("I'm freezing, so please close the window.").connectives
    assert [(link.reason, link.result, link.stated) for link in links] == [(0, 1, True)]


def test_reasons_that_are_joined_both_lead_to_what_follows() -> None:
    links = reading("It rained all day and I had a bad cold, so I stayed home.").connectives
    assert {(link.reason, link.result) for link in links} == {(0, 2), (1, 2)}


def test_a_ground_is_less_sure_than_a_stated_cause() -> None:
    turn = messages("Ana: I'm freezing. Could you close the window?")[-1]
    assert [link.confidence for link in RULES.distill(turn, []).links] == [UNSTATED]


def test_what_a_service_cannot_do_leads_to_none_of_its_offers() -> None:
    turn = messages("Ana: I was unable to book it. Can I do something else for you?")[-1]
    assert grounds(turn.content)
    agent = Message(turn.subject, "c", turn.id, Role.AGENT, "Ana", turn.content, turn.sent_at)
    assert RULES.distill(agent, []).links == ()


@pytest.mark.parametrize(
    ("lines", "reason", "result"),
    [
        (
            ("Ana: Why are you standing in the rain?", "Bo: I missed the last bus."),
            "Bo: I missed the last bus.",
            "Ana: Why are you standing in the rain?",
        ),
        (
            ("Ana: Why are you so late? I've waited for an hour.", "Bo: I missed the last bus."),
            "Bo: I missed the last bus.",
            "Ana: Why are you so late?",
        ),
        (
            ("Ana: You look pale. What's wrong?", "Bo: I missed my dinner today."),
            "Bo: I missed my dinner today.",
            "Ana: You look pale.",
        ),
        (
            ("Bo: I won't come on Sunday evening.", "Ana: Why not?", "Bo: My sister is visiting us."),
            "Bo: My sister is visiting us.",
            "Bo: I won't come on Sunday evening.",
        ),
        (
            ("Ana: 你为什么站在雨里？", "Bo: 我错过了最后一班车。"),
            "Bo: 我错过了最后一班车",
            "Ana: 你为什么站在雨里",
        ),
    ],
)
def test_an_answer_to_a_why_is_the_cause_of_what_was_asked_about(
    lines: tuple[str, ...], reason: str, result: str
) -> None:
    assert any(a.startswith(reason) and b.startswith(result) for a, b in drawn(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        ("Ana: Why don't we go home?", "Bo: I would rather stay here."),
        ("Ana: Why are you standing in the rain?", "Ana: I missed the last bus."),
        ("Ana: Why? Because it was closing.", "Bo: I missed the last bus."),
        ("Ana: When do you leave?", "Bo: I missed the last bus."),
        ("Ana: Why are you standing in the rain?", "Bo: You see."),
    ],
)
def test_what_proposes_answers_itself_or_is_not_answered_has_no_cause(lines: tuple[str, ...]) -> None:
    assert drawn(*lines) == set()
