"""Where a turn hangs when a model was asked, since the rules were unsure."""

from operators.forest.grow import Placement, grow
from operators.forest.interface import Kind, Reason
from operators.forest.llm import OFFERED, AnsweredDecider, Hang, HangKind, open_ends, unsure
from operators.forest.rules import RulesDecider
from operators.llm.refusal import Refusal
from tests.operators.forest.talks import messages

TALK = (
    "U: I'd like to book the tennis court for Friday.",
    "A: Done, the tennis court is yours on Friday.",
    "U: Great, thanks.",
    "A: You're welcome.",
    "U: My knee aches when I climb stairs.",
)
RULES = RulesDecider()


def hung(hang: Hang | None, *lines: str) -> tuple[Placement, list[str]]:
    """The place of the last line where a model hangs it so, and the refusals."""
    refused: list[str] = []
    last = f"m{len(lines) - 1}"
    decider = AnsweredDecider(RULES, {last: hang} if hang is not None else {}, refused.append)
    return grow(messages(*lines), decider)[1][-1], refused


def test_the_rules_are_unsure_of_a_matter_that_no_word_ties_to_another():
    state, _ = grow(messages(*TALK[:-1]), RULES)
    decision = RULES.decide(state, messages(*TALK)[-1])
    assert (decision.reason, unsure(decision)) == (Reason.NEW_STATEMENT, True)


def test_without_an_answer_it_stays_where_the_rules_hang_it():
    assert hung(None, *TALK)[0].reason is Reason.NEW_STATEMENT


def test_it_goes_on_where_the_model_says_so():
    placement, _ = hung(Hang(HangKind.CONTINUE), *TALK)
    assert (placement.kind, placement.parent, placement.reason) == (Kind.CONTINUE, "m3", Reason.ANSWERED)


def test_under_the_current_turn_it_goes_on():
    placement, _ = hung(Hang(HangKind.UNDER, "m3"), *TALK)
    assert (placement.kind, placement.parent, placement.branch) == (Kind.CONTINUE, "m3", "m0")


def test_it_opens_a_topic_where_the_model_says_so():
    placement, _ = hung(Hang(HangKind.NEW), *TALK)
    assert (placement.kind, placement.parent, placement.topic) == (Kind.NEW_TREE, None, "m4")


def test_it_leaves_on_a_branch_at_an_earlier_turn():
    placement, _ = hung(Hang(HangKind.UNDER, "m1"), *TALK)
    assert (placement.kind, placement.parent, placement.branch) == (Kind.BRANCH, "m1", "m4")


def test_it_comes_back_to_another_topic():
    lines = (*TALK, "A: I'm sorry to hear that.", "U: Ok, thanks.", "U: Penguins huddle in winter storms.")
    assert unsure(RULES.decide(grow(messages(*lines[:-1]), RULES)[0], messages(*lines)[-1]))
    placement, _ = hung(Hang(HangKind.UNDER, "m3"), *lines)
    assert (placement.kind, placement.parent, placement.topic) == (Kind.RETURN, "m3", "m0")


def test_an_answer_that_names_no_turn_at_hand_is_refused():
    placement, refused = hung(Hang(HangKind.UNDER, "m99"), *TALK)
    assert placement.reason is Reason.NEW_STATEMENT
    assert refused == [Refusal.NO_PLACE]


def test_a_model_does_not_overrule_a_turn_of_which_the_rules_are_sure():
    lines = (*TALK[:-1], "U: Can you move the tennis court to Saturday?")
    assert hung(Hang(HangKind.NEW), *lines)[0] == hung(None, *lines)[0]


def test_the_turns_to_go_back_to_are_the_open_ends_and_not_the_current_one():
    lines = (*TALK, "A: I'm sorry to hear that.")
    state, _ = grow(messages(*lines), RULES)
    assert open_ends(state) == ("m3",)
    assert state.current == "m5"


def test_the_turns_to_go_back_to_are_few():
    decider = AnsweredDecider(RULES, lambda turn: Hang(HangKind.NEW))
    matters = (
        "Penguins huddle in winter storms.",
        "My grandmother baked rye bread.",
        "Volcanoes fertilise the soil nearby.",
        "Violin strings snap without warning.",
        "Tariffs raise grocery bills.",
        "Beetles outnumber all birds.",
        "Harbours silt up slowly.",
        "Lanterns guided sailors home.",
    )
    lines = [line for matter in matters for line in (f"U: {matter}", "U: Ok, thanks.")]
    state, placements = grow(messages(*lines), decider)
    assert sum(p.reason is Reason.ANSWERED for p in placements) > OFFERED
    assert len(open_ends(state)) == OFFERED
