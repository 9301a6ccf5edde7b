"""A message calls back what bears on it, from whatever conversation, with what took its place."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from evaluation.context import grown
from evaluation.memory_notes import noted
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.forest.rules import RULES as DECIDER
from operators.relate.rules import RULES as RELATER
from query_service.gathering import TOPICS
from query_service.next_turn import NextTurn, TurnContext
from query_service.recalling import RECALLED, SETTLING
from state.hashing_encoder import HashingEncoder
from state.memory_reader import MemoryReader
from state.model import Message, Role, Subject

NINA = Subject("library", "nina")
START = datetime(2026, 5, 4, 9, tzinfo=UTC)
CHATTER = 12
"""Conversations between the one that matters and now: more than those whose ends are at hand anyway."""


def said(conversation: str, *texts: str, day: int = 0, subject: Subject = NINA) -> list[Message]:
    return [
        Message(
            subject,
            conversation,
            f"{conversation}/{n}",
            Role.USER,
            "Nina",
            text,
            START + timedelta(days=day, minutes=n),
        )
        for n, text in enumerate(texts)
    ]


def chatter(*texts: str) -> list[Message]:
    """Conversations of later days, each of four turns that have nothing to do with the others."""
    assert CHATTER > TOPICS
    return [
        message
        for n in range(CHATTER)
        for message in said(f"chat-{n}", *(f"{text} {n}." for text in texts), day=2 + n)
    ]


SMALL_TALK = chatter("The weather was mild", "The garden grew", "The train ran late", "The soup was good")
闲聊 = chatter("天气很好", "花园很美", "火车晚点了", "汤很好喝")


def asked(messages: Sequence[Message], message: str, budget: int | None = None) -> TurnContext:
    encoder = HashingEncoder()
    by_subject = {one.subject: [m for m in messages if m.subject == one.subject] for one in messages}
    views = [derive(whole, DISTILLER, RELATER, DECIDER) for whole in by_subject.values()]
    turns = NextTurn(
        MemoryReader(views, grown=grown),
        noted(messages, encoder),
        encoder,
        lambda: START + timedelta(days=40),
        DECIDER,
    )
    return turns.context(NINA, message, budget, "a new conversation")


def quotes(found: TurnContext) -> list[str]:
    return [line for line in found.context.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize("budget", [None, 120, 2_000])
def test_a_new_conversation_is_told_what_was_said_long_before_in_another(budget: int | None) -> None:
    history = [
        *said("desk", "My library card number is 77-1203.", "I mostly borrow crime novels."),
        *SMALL_TALK,
    ]
    found = asked(history, "What is my library card number?", budget)
    assert found.decision.kind == "new_tree"
    assert "- My library card number is 77-1203." in quotes(found)


@pytest.mark.parametrize("budget", [None, 200, 2_000])
def test_what_took_the_place_of_it_comes_with_it_though_it_shares_no_word(budget: int | None) -> None:
    history = [
        *said("desk", "My delivery address is 4 Elm Road.", "Please change it to 9 Oak Lane."),
        *SMALL_TALK,
    ]
    found = asked(history, "Where is my delivery going?", budget)
    assert "- My delivery address is 4 Elm Road." in quotes(found)
    assert '! "4 Elm Road" SUPERSEDED by "9 Oak Lane"' in found.context
    assert (
        "- It is Harbour Lane now." in quotes(found) or '"9 Oak Lane" replaces "4 Elm Road"' in found.context
    )


@pytest.mark.parametrize("budget", [None, 2_000])
def test_in_chinese_too(budget: int | None) -> None:
    history = [*said("desk", "我的借书证号码是77-1203。", "我喜欢看侦探小说。"), *闲聊]
    assert "- 我的借书证号码是77-1203。" in quotes(asked(history, "我的借书证号码是多少？", budget))


def test_of_a_long_turn_the_sentences_are_quoted_that_bear_on_the_message() -> None:
    long = " ".join(f"On shelf {n} there stand {n + 3} atlases." for n in range(60))
    history = [*said("desk", f"{long} My locker has the code 4471. {long}"), *SMALL_TALK]
    (quote,) = [q for q in quotes(asked(history, "What is the code of my locker?")) if "4471" in q]
    assert "My locker has the code 4471." in quote
    assert len(quote) < 400


def test_it_is_told_before_topics_that_were_merely_spoken_of_last() -> None:
    history = [*said("desk", "My library card number is 77-1203."), *SMALL_TALK]
    found = asked(history, "What is my library card number?", 2_000)
    assert quotes(found)[0] == "- My library card number is 77-1203."


def test_a_turn_that_is_on_the_path_is_told_there_and_not_twice() -> None:
    history = said("a new conversation", "My library card number is 77-1203.", "Please renew it.")
    found = asked(history, "Did you find my library card number?")
    assert [quote for quote in quotes(found) if "77-1203" in quote] == [
        "- My library card number is 77-1203."
    ]
    assert "Other topics:" not in found.context


def test_a_message_without_content_words_calls_nothing_back() -> None:
    history = [*said("desk", "My library card number is 77-1203."), *SMALL_TALK]
    assert "77-1203" not in asked(history, "And then?", 2_000).context


def test_no_more_is_called_back_than_is_bounded() -> None:
    history = [m for n in range(80) for m in said(f"c{n}", f"The atlas number {n} is blue.", day=n // 4)]
    found = asked(history, "Which atlas is blue?", 5_000)
    assert len(quotes(found)) <= RECALLED + SETTLING + TOPICS


def test_another_tenants_subject_of_the_same_name_is_not_searched() -> None:
    theirs = Subject("rival", "nina")
    history = [
        *said("desk", "My library card number is 77-1203.", subject=theirs),
        *said("desk", "I mostly borrow crime novels."),
    ]
    assert "77-1203" not in asked(history, "What is my library card number?", 2_000).context


def test_the_search_sees_no_more_than_what_is_stored() -> None:
    """A note of a message that the graph has no more (its deletion is under way) is passed over."""
    (gone,) = said("desk", "My library card number is 77-1203.")
    (kept,) = said("other", "I mostly borrow crime novels.")
    encoder = HashingEncoder()
    view = derive([kept], DISTILLER, RELATER, DECIDER)
    notes = noted([gone, replace(kept)], encoder)
    turns = NextTurn(MemoryReader([view], grown=grown), notes, encoder, lambda: START, DECIDER)
    assert "77-1203" not in turns.context(NINA, "What is my library card number?", 2_000).context
