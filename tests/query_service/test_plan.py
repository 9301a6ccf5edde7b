"""What a question's shape says."""

from datetime import UTC, datetime

import pytest

from query_service.plan import Shape, Voice, Weights, make_plan

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What is the bakery rent?", Shape.CURRENT),
        ("Is the bakery open?", Shape.CURRENT),
        ("现在的房租多少钱？", Shape.CURRENT),
        ("还是线上开吗？", Shape.CURRENT),
        ("What did she pay as of 10 June?", Shape.PAST),
        ("As things were on 2 April, who would lead the walk?", Shape.PAST),
        ("Which boat had he hired on 9 April?", Shape.PAST),
        ("5月6日的时候，套餐是多少钱？", Shape.PAST),
        ("When did they go hiking?", Shape.WHEN),
        ("At what time does the museum open?", Shape.WHEN),
        ("评审会几点开？", Shape.WHEN),
        ("Why did the bakery close?", Shape.WHY),
        ("What made him change his mind?", Shape.WHY),
        ("为什么换了？", Shape.WHY),
        ("How has their budget changed?", Shape.HISTORY),
        ("What happened to the permit?", Shape.HISTORY),
        ("阳台漏水后来怎么样了？", Shape.HISTORY),
        ("Which cuisines does she love?", Shape.LIST),
        ("Who are the members of the choir?", Shape.LIST),
        ("都有哪些项目？", Shape.LIST),
        ("Would she enjoy a concert?", Shape.OPEN),
        ("你有什么推荐？", Shape.OPEN),
        ("办公室的门牌是哪里？", Shape.CURRENT),
        ("押金是多少？", Shape.CURRENT),
        ("教练是谁？", Shape.CURRENT),
        ("车库用什么颜色的漆？", Shape.CURRENT),
        ("合唱团礼拜几排练？", Shape.WHEN),
        ("合同哪一年到期？", Shape.WHEN),
        ("怎么没去露营？", Shape.WHY),
        ("怎么去车站？", Shape.CURRENT),
        ("她以前住哪里？", Shape.HISTORY),
        ("排练时间改过几次？", Shape.HISTORY),
        ("周五之前要交什么？", Shape.CURRENT),
        ("3月2日时教练是谁？", Shape.PAST),
        ("冰箱里有什么？", Shape.LIST),
        ("The garage colour?", Shape.CURRENT),
        ("Home phone number, please", Shape.CURRENT),
        ("Did Mara pick the tent or the van?", Shape.OPEN),
    ],
)
def test_the_shape_is_read_from_the_words(question: str, shape: Shape) -> None:
    assert make_plan(question, NOW).shape is shape


@pytest.mark.parametrize(
    "question",
    [
        "As matters stood on 2 April, who would lead the walk?",
        "As the plan stood on 2 April, who would lead the walk?",
        "Who would lead the walk on 2 April?",
        "Should the walk start at the mill on 2 April?",
        "Where would they meet on 2 April?",
        "On 2 April, who leads the walk?",
        "4月2日谁带队？",
    ],
)
def test_what_was_to_be_on_a_day_that_is_gone_is_asked_of_that_day(question: str) -> None:
    plan = make_plan(question, NOW)
    assert (plan.shape, plan.at) == (Shape.PAST, datetime(2026, 4, 3, tzinfo=UTC))


@pytest.mark.parametrize(
    "question",
    [
        "Who would lead the walk on 20 June?",  # still to come
        "On 20 June, who leads the walk?",
        "Would she enjoy the mill that opened on 2 April?",  # which mill, not when
        "Would you recommend the walk of 2 April?",
        "Since 2 April, who leads the walk?",
        "4月2日的合同现在什么状态？",
        "As he stood in for Ann, who leads the walk?",
    ],
)
def test_another_day_in_a_question_leaves_it_about_now(question: str) -> None:
    plan = make_plan(question, NOW)
    assert plan.shape is not Shape.PAST
    assert plan.at == NOW


def test_as_the_plan_stood_asks_for_the_past_without_a_day() -> None:
    assert make_plan("As the plan for the walk stood then, who would lead it?", NOW).shape is Shape.PAST


def test_a_given_time_wins_over_a_time_in_the_question() -> None:
    given = datetime(2026, 2, 1, tzinfo=UTC)
    plan = make_plan("What was the budget on 5 May 2026?", NOW, as_of=given)
    assert (plan.at, plan.until) == (given, given)


def test_a_time_in_the_question_sets_when_but_hides_no_message() -> None:
    plan = make_plan("What was the budget on 5 May 2026?", NOW)
    assert plan.at == datetime(2026, 5, 6, tzinfo=UTC)
    assert plan.until is None
    assert plan.hints[0].start == datetime(2026, 5, 5, tzinfo=UTC)


def test_a_date_without_a_year_is_the_last_one_that_passed() -> None:
    plan = make_plan("Which flat did they rent on 15 August?", NOW)
    assert plan.hints[0].start == datetime(2025, 8, 15, tzinfo=UTC)


def test_without_any_time_the_question_is_about_now() -> None:
    plan = make_plan("Where does he work?", NOW)
    assert (plan.at, plan.until, plan.known_at) == (NOW, None, None)


def test_validity_is_not_held_against_a_history() -> None:
    assert not make_plan("How has the plan changed?", NOW).validity_counts
    assert make_plan("What is the plan?", NOW).validity_counts


@pytest.mark.parametrize(
    ("question", "voice"),
    [
        ("What is my budget?", Voice.ASKER),
        ("我的座位是几号？", Voice.ASKER),
        ("What did you recommend for dinner?", Voice.OTHER),
        ("Can you list the guests?", Voice.ANYONE),
        ("Where does Tom live?", Voice.ANYONE),
    ],
)
def test_whose_words_are_asked_for(question: str, voice: Voice) -> None:
    assert make_plan(question, NOW).voice is voice


@pytest.mark.parametrize("question", ["Why?", "What is it?", "When was it?", "How has it changed?"])
def test_the_weights_of_a_score_sum_to_one(question: str) -> None:
    weights: Weights = make_plan(question, NOW).weights
    total = weights.similarity + weights.confidence + weights.temporal + weights.validity
    assert total == pytest.approx(1)


@pytest.mark.parametrize("question", ["Since she is vegetarian, is fish out?", "既然他不在上海，还住哪？"])
def test_a_premise_is_noticed(question: str) -> None:
    assert make_plan(question, NOW).premise


@pytest.mark.parametrize("text", ["", "?", "\x00", "a" * 100_000, "when " * 20_000, "为什么" * 20_000])
def test_any_text_has_a_plan(text: str) -> None:
    assert make_plan(text, NOW).at == NOW


@pytest.mark.parametrize("year", [1, 2026, 9999])
@pytest.mark.parametrize(
    "question", ["What held on 31 December?", "1月1日的时候是多少？", "2026-01-01T00:00:00Z"]
)
def test_a_time_at_the_ends_of_the_calendar_is_no_fault(question: str, year: int) -> None:
    now = datetime(year, 6, 1, tzinfo=UTC)
    assert make_plan(question, now, None, None, now).shape in Shape
