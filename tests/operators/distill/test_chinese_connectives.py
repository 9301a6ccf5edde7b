"""Which clause of a Chinese text is the reason of which, and how."""

import pytest

from operators.distill.chinese import CHINESE
from state.model import EdgeType, EventType

CAUSES, ENABLES, PREVENTS = EdgeType.CAUSES, EdgeType.ENABLES, EdgeType.PREVENTS

LINKS: list[tuple[str, list[tuple[EdgeType, int, int]]]] = [
    ("因为502在装修，会议改在食堂二楼。", [(CAUSES, 0, 1)]),
    ("由于讲师出差，所以课程推迟到下周三。", [(CAUSES, 0, 1)]),
    ("工期延长到75天，因为卫生间要重做防水。", [(CAUSES, 1, 0)]),
    ("草莓缺货，所以蛋糕口味换成芒果。", [(CAUSES, 0, 1)]),
    ("我妈做手术，因此我请了三天假。", [(CAUSES, 0, 1)]),
    ("既然张总不来，会就取消吧。", [(CAUSES, 0, 1)]),
    ("车坏了，于是我们改坐地铁。", [(CAUSES, 0, 1)]),
    ("暴雪导致航班取消。", [(CAUSES, 0, 1)]),
    ("我骨折了，没法上课，所以瑜伽班退掉吧。", [(CAUSES, 0, 2)]),
    ("因为下雨所以改到室内。", [(CAUSES, 0, 1)]),
    ("合同签了。因此押金收5000元。", [(CAUSES, 0, 1)]),
    ("所以押金收5000元。", [(CAUSES, -1, 0)]),
    ("那就改到周五。", [(CAUSES, -1, 0)]),
    ("因为搬家，地址改了；又因为地址改了，运费是12元。", [(CAUSES, 0, 1), (CAUSES, 2, 3)]),
    ("交了押金才能拿钥匙。", [(ENABLES, 0, 1)]),
    ("有了工作证，你就可以进实验室了。", [(ENABLES, 0, 1)]),
    ("为了赶早班机，我订了机场附近的酒店。", [(ENABLES, 1, 0)]),
    ("我提前发资料，以便大家准备。", [(ENABLES, 0, 1)]),
    ("必须本人到场，否则不能办理。", [(PREVENTS, 0, 1)]),
    ("周三前付款，不然名额就没了。", [(PREVENTS, 0, 1)]),
    ("地址是长沙路5号，电话是13812345678。", []),
    ("你好，谢谢！", []),
    ("好的，因为。", []),
]


@pytest.mark.parametrize(("text", "links"), LINKS, ids=[text for text, _ in LINKS])
def test_a_stated_reason_is_linked_to_its_result(text: str, links: list[tuple[EdgeType, int, int]]) -> None:
    assert [(c.type, c.reason, c.result) for c in CHINESE.read(text).connectives] == links


def test_a_connective_says_its_words() -> None:
    (link,) = CHINESE.read("由于讲师出差，课程推迟。").connectives
    assert link.words == "由于"


def test_what_follows_from_a_stated_reason_is_a_change_of_state() -> None:
    reason, result = CHINESE.read("因为换成了大份，价格是88元。").clauses
    assert result.type is EventType.STATE_CHANGE
    assert CHINESE.read("价格是88元。").clauses[0].type is EventType.ACTION
    assert reason.claims
