"""What stands in the graph after Chinese support talk: addresses, numbers, lists, visits, cancellations."""

from datetime import UTC, datetime

import pytest

from operators.derive import derive
from operators.distill.chinese import CHINESE
from operators.distill.chinese_goods import goods, listed
from operators.distill.chinese_nouns import names_thing, tenable
from operators.distill.clause import Claim
from operators.distill.rules import RULES as DISTILLER
from operators.relate.naming import attribute_head, is_total
from operators.relate.rules import RULES as RELATER
from operators.relate.same_thing import Match, same_attribute
from state.model import Act
from tests.operators.distill.conversation import facets, messages

END = datetime(9999, 1, 1, tzinfo=UTC)


def held(*lines: str) -> dict[str, float]:
    """By the number of the message, attribute and value: how valid each fact is at the end."""
    view = derive(messages(*lines), DISTILLER, RELATER)
    return {
        f"{event.sources[-1].rpartition('/')[2]} {event.facet.attribute} {event.facet.value}".replace(
            "  ", " "
        ): view.timelines[event.id].value(END)
        for event in view.events
        if event.facet is not None
    }


def test_the_room_that_was_booked_is_replaced_by_the_one_it_is_changed_to() -> None:
    found = held("林: 排练厅订的是四号厅。", "林: 排练厅改到六号厅吧。")
    assert found == {"1 排练厅 四号厅": 0, "2 排练厅 六号厅": 1}


def test_an_address_without_a_verb_is_the_address_of_its_owner_and_is_replaced() -> None:
    found = held(
        "林: 您好，我的收件地址是枫林巷27号。",
        "*客服: 收件地址枫林巷27号，已登记。",
        "林: 收件地址改成望江街5号。",
    )
    assert found == {"1 收件地址 枫林巷27号": 0, "2 收件地址 枫林巷27号": 0, "3 收件地址 望江街5号": 1}


@pytest.mark.parametrize("place", ["枫林巷27号", "云山路31号", "海棠弄9号", "柳树胡同8号"])
def test_a_house_number_is_no_day(place: str) -> None:
    assert facets(f"林: 家庭住址{place}。") == [("林", "家庭住址", place)]


@pytest.mark.parametrize(
    "said",
    ["我的新电话是13622223333。", "我换了手机号，新的号码是13622223333。", "新手机号码是13622223333。"],
)
def test_a_new_number_takes_the_place_of_the_number(said: str) -> None:
    found = held("陈: 我的电话是13700001111。", f"陈: {said}")
    assert found["1 电话 13700001111"] == 0
    assert [v for fact, v in found.items() if "13622223333" in fact] == [1]


def test_a_number_of_something_else_stands() -> None:
    found = held("陈: 我的电话是13700001111。", "陈: 房间号码是80215。")
    assert found["1 电话 13700001111"] == 1


def test_names_of_one_attribute() -> None:
    assert same_attribute("手机号", "联系电话") is Match.EXACT
    assert attribute_head("手机号") == attribute_head("号码") == "电话"
    assert same_attribute("送货时间", "配送时间") is Match.EXACT
    assert same_attribute("订单号码", "号码") is not Match.EXACT
    assert is_total("合计")
    assert not is_total("价格")


@pytest.mark.parametrize(
    "word", ["才", "换", "维", "预", "新", "林的换", "到货前请", "好李先生", "恢复订单", "那天"]
)
def test_what_is_no_noun_is_no_thing(word: str) -> None:
    assert not names_thing(word)


@pytest.mark.parametrize("word", ["", "猫", "我", "林", "订单 K77", "水管", "林的订单", "请柬"])
def test_a_noun_is_a_thing(word: str) -> None:
    assert names_thing(word)


def test_a_statement_needs_a_value_and_a_withdrawal_none() -> None:
    empty = (Claim("订单", "编号", ""),)
    assert tenable(empty, Act.STATE) == tenable(empty, Act.CHANGE) == ()
    assert tenable(empty, Act.WITHDRAW) == empty


@pytest.mark.parametrize("said", ["您好李先生。", "送到之后请您验收。", "到货前请打电话。"])
def test_greetings_and_instructions_say_nothing_of_things(said: str) -> None:
    assert [claim for clause in CHINESE.read(said).clauses for claim in clause.claims] == []


def test_a_list_is_its_items() -> None:
    assert listed("支架和数据线") == ("支架", "数据线")
    assert listed("和牛") == ("和牛",)
    assert goods("两个杯子和一套餐具") == (Claim("杯子", "数量", "两个"), Claim("餐具", "数量", "一套"))


def test_one_item_goes_and_the_others_stand() -> None:
    found = held("吴: 茶杯和托盘都要。", "吴: 托盘不要了。", "吴: 再加一个滤网。")
    assert found["1 项目 茶杯"] == found["3 项目 滤网"] == 1
    assert found["1 项目 托盘"] == 0


def test_what_is_put_on_the_list_goes_off_it_again() -> None:
    found = held("吴: 帮我把毛巾也加上。", "吴: 毛巾去掉吧。")
    assert found["1 项目 毛巾"] == 0


def test_an_adverb_before_a_state_is_no_thing_and_the_subject_goes_on() -> None:
    assert facets("吴: 因为水管没装好，所以才漏水。")[-1] == ("水管", "完好", "漏水")
    assert facets("吴: 我新买了一台冰箱。") == [("冰箱", "数量", "一台")]
    assert facets("吴: 我那天在家办公。") == [("吴", "办公地点", "在家办公")]


def test_counted_goods_go_and_change_one_by_one() -> None:
    found = held("吴: 我要一个水壶、两个杯子和一套餐具。", "吴: 去掉餐具。", "吴: 杯子改成四个。")
    assert found["1 数量 一个"] == found["3 数量 四个"] == 1
    assert found["1 数量 一套"] == found["1 数量 两个"] == 0


def test_the_total_is_of_the_order_and_the_last_one_stands() -> None:
    found = held(
        "吴: 帮我加一个支架和一条数据线。",
        "*客服: 已添加支架和数据线，合计260元。",
        "吴: 支架取消吧。",
        "*客服: 好的，支架已取消，合计180元。",
    )
    assert found["2 总价 260元"] == found["1 项目 一个支架"] == found["2 项目 支架"] == 0
    assert found["4 总价 180元"] == found["1 项目 一条数据线"] == found["2 项目 数据线"] == 1


def test_the_price_follows_the_quantity() -> None:
    found = held(
        "马: 我要两箱橙子。", "*客服: 橙子的价格是90元。", "马: 橙子改成五箱。",
        "*客服: 橙子已改成五箱，价格是210元。",
    )  # fmt: skip
    assert found["1 数量 两箱"] == found["2 价格 90元"] == 0
    assert found["3 数量 五箱"] == found["4 价格 210元"] == 1


def test_the_day_named_first_tells_what_is_moved() -> None:
    said = ["*客服: 配送时间是6月2日下午。", "*客服: 给您预约了6月5日上午上门安装。"]
    moved = held(*said, "郑: 2号下午家里没人，改到3号晚上吧。")
    assert moved["1 配送时间 6月2日下午"] == 0
    assert moved["2 安装时间 6月5日上午"] == moved["3 配送时间 3号晚上"] == 1
    other = held(*said, "郑: 5号上午我要开会，改到8号吧。")
    assert other["1 配送时间 6月2日下午"] == other["3 安装时间 8号"] == 1
    assert other["2 安装时间 6月5日上午"] == 0


@pytest.mark.parametrize("back", ["我改主意了，不取消了。", "请恢复订单 K77。", "还是不要取消订单 K77了。"])
def test_a_cancellation_taken_back_lets_the_order_stand(back: str) -> None:
    said = ["何: 订单 K77 的收货地址是兰亭路6号。", "何: 我想取消订单 K77。", "*客服: 订单 K77 已取消。"]
    assert held(*said)["1 收货地址 兰亭路6号"] == 0
    assert held(*said, f"何: {back}")["1 收货地址 兰亭路6号"] == 1


def test_another_order_taken_back_leaves_the_cancelled_one() -> None:
    said = ["何: 订单 K77 的收货地址是兰亭路6号。", "何: 取消订单 K77。", "何: 请恢复订单 B12。"]
    assert held(*said)["1 收货地址 兰亭路6号"] == 0
