"""Proper names: runs of capitals in English; in Chinese those that a title or 我叫 makes known. And quotations."""

import re

from operators.distill.finding import Finding
from operators.distill.spans import ValueKind

_LETTER = r"[A-Za-z\u00c0-\u024f]"
_NO_MORE = r"(?![A-Za-z0-9_\u00c0-\u024f]|-\d)"
_WORD = rf"(?:[A-Z\u00c0-\u00de]{_LETTER}{{0,40}}\d{{0,4}}(?:['’-]{_LETTER}{{1,40}}){{0,3}}{_NO_MORE}|[A-Z]\.(?= [A-Z]))"
_RUN = re.compile(
    rf"(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mx)\.? )?{_WORD}"
    rf"(?: (?:(?:of|de|van|von|der|la|del|di|the|&|and the) ){{0,2}}{_WORD}){{0,7}}"
)
_VERSION = re.compile(
    r" \d{1,4}(?:\.\d{1,4}){0,3}(?![\w%]|[-.:,/]\d| ?[a-z]{2,15}s\b| ?(?:am|pm|%|st|nd|rd|th)\b)",
    re.ASCII,
)
_CAPITAL_AFTER = re.compile(
    r"(?:\.? |[-'’&]| (?:of|de|van|von|der|la|del|di|the|&) (?:the |la |der )?)[A-ZÀ-Þ]"
)
_HEADING_END = re.compile(r":?\*\*|:?\n")
_TITLE = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof|Mx|St)\.? (?=[A-Z])")
_STOP = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "i'll",
        "i'd",
        "i’m",
        "i’ve",
        "i’ll",
        "i’d",
        "ok",
        "okay",
        "am",
        "pm",
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "it's",
        "he",
        "she",
        "they",
        "we",
        "you",
        "my",
        "your",
        "our",
        "his",
        "her",
        "their",
        "who",
        "what",
        "when",
        "where",
        "why",
        "how",
        "which",
        "whose",
        "if",
        "and",
        "but",
        "or",
        "so",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "to",
        "with",
        "about",
        "after",
        "before",
        "since",
        "until",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "do",
        "does",
        "did",
        "don't",
        "have",
        "has",
        "had",
        "can",
        "can't",
        "could",
        "will",
        "won't",
        "would",
        "should",
        "shall",
        "may",
        "might",
        "must",
        "not",
        "no",
        "yes",
        "yeah",
        "yep",
        "nope",
        "sure",
        "please",
        "thanks",
        "thank",
        "hello",
        "hi",
        "hey",
        "dear",
        "sorry",
        "great",
        "good",
        "fine",
        "well",
        "oh",
        "wow",
        "also",
        "then",
        "there",
        "here",
        "now",
        "just",
        "maybe",
        "perhaps",
        "let",
        "let's",
        "lets",
        "all",
        "any",
        "both",
        "each",
        "every",
        "some",
        "most",
        "more",
        "many",
        "much",
        "another",
        "other",
        "same",
        "such",
        "only",
        "too",
        "very",
        "still",
        "yet",
        "again",
        "once",
        "because",
        "although",
        "though",
        "while",
        "during",
        "between",
        "over",
        "under",
        "however",
        "therefore",
        "finally",
        "first",
        "second",
        "third",
        "next",
        "last",
        "new",
        "mr",
        "mrs",
        "ms",
        "dr",
        "because",
        "nice",
        "awesome",
        "cool",
        "happy",
        "glad",
        "absolutely",
        "definitely",
        "actually",
        "really",
        "understood",
        "noted",
        "perfect",
        "welcome",
        "cheers",
        "bye",
        "goodbye",
        "congratulations",
        "right",
        "alright",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "that's",
        "there's",
        "here's",
        "what's",
        "who's",
        "how's",
        "we're",
        "you're",
        "they're",
        "we've",
        "you've",
        "we'll",
        "you'll",
        "isn't",
        "aren't",
        "doesn't",
        "didn't",
        "wasn't",
        "couldn't",
        "wouldn't",
    ]
)
_VERBS = frozenset(
    [
        "add",
        "ask",
        "book",
        "bring",
        "buy",
        "call",
        "cancel",
        "change",
        "check",
        "choose",
        "close",
        "come",
        "confirm",
        "consider",
        "contact",
        "create",
        "deliver",
        "do",
        "drop",
        "fill",
        "find",
        "fix",
        "forget",
        "get",
        "give",
        "go",
        "help",
        "hold",
        "keep",
        "leave",
        "let",
        "look",
        "make",
        "meet",
        "move",
        "need",
        "open",
        "order",
        "pay",
        "pick",
        "plan",
        "provide",
        "put",
        "read",
        "remind",
        "remove",
        "reserve",
        "reset",
        "return",
        "schedule",
        "see",
        "send",
        "set",
        "show",
        "start",
        "stop",
        "switch",
        "take",
        "talk",
        "tell",
        "thank",
        "think",
        "try",
        "turn",
        "update",
        "use",
        "wait",
        "want",
        "write",
    ]
)
_SENTENCE_END = frozenset(".!?。！？\n:：*#|•>-–—(（[\"“‘'…")
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔汤向常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝"
)
_HAN_TITLE = re.compile(r"(?:先生|女士|小姐|太太|师傅|老师|医生|经理|教授|主任|阿姨|叔叔|律师|护士长|总监?)")
_HAN_SELF = re.compile(
    r"(?:我叫|我是|名叫|名字叫|姓名[是为：:]|名字是|叫做)([\u4e00-\u9fff]{2,3})(?=$|[，。,.！!？?；;、\s\n])"
)
_QUOTES = re.compile(
    r"“([^“”\n]{1,80})”|「([^「」\n]{1,80})」|『([^『』\n]{1,80})』|《([^《》\n]{1,80})》|【([^【】\n]{1,80})】"
    r"|\"([^\"\n]{1,80})\"|(?<![\w])'([^'\n]{1,80})'(?!\w)|‘([^‘’\n]{1,80})’(?!\w)"
)
QUOTE_CHARS = frozenset("“「『《【\"'‘")


def starts_sentence(text: str, pos: int) -> bool:
    """Whether only signs that open a sentence stand before `pos`."""
    index = pos - 1
    while index >= 0 and index > pos - 4 and text[index] == " ":
        index -= 1
    if index < 0 or text[index] not in _SENTENCE_END:
        return index < 0
    return not (text[index] in "-–'\"“‘([（" and pos - index == 1 and index > 0 and text[index - 1].isalnum())


def may_begin_name(text: str, pos: int, token: str, word: str) -> bool:
    """A cheap test that spares most capitals `name_at`: a function word, or a word alone at the start of a
    sentence, begins no name."""
    end = pos + len(token)
    if _CAPITAL_AFTER.match(text, end) or (len(token) == 2 and text[end : end + 2] == ". "):
        return True
    if word in _STOP:
        return False
    return (
        _inner_capital(token)
        or text[end : end + 1].isdecimal()
        or not starts_sentence(text, pos)
        or (_TITLE.match(text, pos) is not None)
    )


def name_at(text: str, pos: int) -> Finding | None:
    """The name that begins with the capital at `pos`.

    At the start of a sentence a word alone is no name, and a function word or a bare verb is left out of the run.
    """
    match = _RUN.match(text, pos)
    if match is None:
        return None
    start, end = pos, match.end()
    words = match.group().split(" ")
    if len(words) > 4 and match.group().isupper():
        return None
    titled = _TITLE.match(text, pos) is not None
    first = words[0].rstrip(".").casefold()
    opening = starts_sentence(text, pos)
    if not titled and (first in _STOP or (opening and first in _VERBS)):
        return None
    if opening and _HEADING_END.match(text, end) and text[pos - 1 : pos] in ("*", " ", "#") and pos:
        return None
    while words and words[-1].casefold() in _STOP and not titled:
        end -= len(words.pop()) + 1
        while words and words[-1] in ("of", "the", "and", "de", "la", "&"):
            end -= len(words.pop()) + 1
    if not words or (opening and len(words) == 1 and not titled and not _inner_capital(words[0])):
        return None
    if text[end - 2 : end] in ("'s", "’s"):
        end -= 2
    if end - start < 2 or text[start:end].casefold() in _STOP:
        return None
    version = _VERSION.match(text, end)
    end = version.end() if version is not None else end
    return Finding(ValueKind.NAME, start, end, " ".join(text[start:end].casefold().replace("’", "'").split()))


def _inner_capital(word: str) -> bool:
    return any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)


def han_name_before(text: str, title: int) -> Finding | None:
    """The name that ends in the title at `title`: a surname with up to two characters of a given name."""
    match = _HAN_TITLE.match(text, title)
    if match is None:
        return None
    for length in (1, 3, 2):
        start = title - length
        if (
            start >= 0
            and text[start] in _SURNAMES
            and all("一" <= char <= "鿿" for char in text[start:title])
        ):
            if "谢谢" in text[max(0, start - 1) : title]:
                continue
            if length > 1 and not _han_boundary(text, start):
                continue
            return Finding(ValueKind.NAME, start, match.end(), text[start : match.end()])
    return None


def _han_boundary(text: str, start: int) -> bool:
    return (
        start == 0 or not "一" <= text[start - 1] <= "鿿" or text[start - 1] in "是找由请和跟给让向为叫，对"
    )


def han_self_name_at(text: str, pos: int) -> Finding | None:
    """The name after 我叫 or 我是 at `pos`; after the latter it must begin with a surname."""
    match = _HAN_SELF.match(text, pos)
    if match is None or ("叫" not in match.group()[:3] and match[1][0] not in _SURNAMES):
        return None
    return Finding(ValueKind.NAME, match.start(1), match.end(1), match[1])


def quoted_at(text: str, pos: int) -> Finding | None:
    """What stands between the quotation marks that open at `pos`, at most 80 characters on one line."""
    match = _QUOTES.match(text, pos)
    if match is None:
        return None
    group = match.lastindex or 1
    inner = match[group]
    left = len(inner) - len(inner.lstrip())
    start, end = match.start(group) + left, match.start(group) + len(inner.rstrip())
    if start >= end:
        return None
    return Finding(ValueKind.QUOTED, start, end, " ".join(inner.casefold().split()))
