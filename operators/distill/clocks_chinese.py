"""Chinese clock times: 上午10点, 晚上8点半, 15:30, 下午3点到5点."""

import re

from operators.distill.numbers import read_number
from operators.distill.times import Clock

PART = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|午夜|晚间"
_HOUR = r"(?:[01]?\d|2[0-4])(?!\d)|二?十?[一二两三四五六七八九十]|十"
_CLOCK = re.compile(
    rf"(?P<part>{PART}|晚|早)?的? ?(?:(?P<digital>[01]?\d|2[0-4])[:：](?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d)"
    rf"|(?P<hour>{_HOUR})[点時时](?P<rest>半|[一三]刻|[0-5]?\d分?(?!\d)"
    rf"|[零〇]?[一二三四五六七八九十]{{1,3}}分|整|钟)?)"
)
_NOT_CLOCK = re.compile(r"[建意要原以内]|[0-9]|以[上下]")
_JOIN = re.compile(r" ?(?:到|至|—|–|-|~|～) ?")


def chinese_clock_at(
    text: str, pos: int, beside_day: bool = False, inherited: str = ""
) -> tuple[int, Clock, Clock | None] | None:
    """A clock time at `pos` and the one it runs to, if any; the second takes the first's part of the day.

    A numeral with 点 alone (两点) counts as a clock only beside a day, since it may count points.
    """
    start = _CLOCK.match(text, pos)
    if start is None or not (start["part"] or beside_day or _unmistakable(text, start)):
        return None
    part = start["part"] or inherited
    first = _minutes(start, part)
    if first is None:
        return None
    joint = _JOIN.match(text, start.end())
    end = None if joint is None else _CLOCK.match(text, joint.end())
    last = None if end is None else _minutes(end, end["part"] or part)
    if end is None or last is None:
        return start.end(), Clock(first), None
    if last < first < 720 and last + 720 > first:
        last += 720
    return end.end(), Clock(first), Clock(min(last, 1440))


def _unmistakable(text: str, match: re.Match[str]) -> bool:
    if match["digital"] or match["rest"]:
        return True
    return (
        match["hour"].isdecimal()
        and text[match.end() - 1] == "点"
        and not _NOT_CLOCK.match(text, match.end())
    )


def _minutes(match: re.Match[str], part: str) -> int | None:
    if match["digital"]:
        hour, minute = int(match["digital"]), int(match["minute"])
        bare = match["digital"].startswith("0")
    else:
        value = read_number(match["hour"])
        hour, minute, bare = -1 if value is None else int(value), _rest(match["rest"] or ""), False
    if not 0 <= hour <= 24 or minute > 59 or (hour == 24 and minute):
        return None
    if not part:
        hour += 12 * (1 <= hour <= 6 and not bare)
    elif part in ("下午", "傍晚"):
        hour += 12 * (hour < 12)
    elif part in ("晚上", "晚", "夜里", "半夜", "午夜", "晚间"):
        hour = 24 if hour == 12 else hour + 12 * (5 <= hour < 12)
    elif part == "中午":
        hour += 12 * (hour < 4)
    else:
        hour %= 12 if part == "凌晨" else 24
    return min(hour * 60 + minute, 1440)


def _rest(words: str) -> int:
    if not words or words in ("整", "钟"):
        return 0
    if words == "半":
        return 30
    if words[-1] == "刻":
        return 15 if words[0] == "一" else 45
    value = read_number(words.rstrip("分"))
    return 60 if value is None else int(value)
