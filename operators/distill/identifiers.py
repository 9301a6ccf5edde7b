"""E-mail addresses, URLs, phone numbers and identifiers (of orders, parcels, tickets, serial numbers)."""

import re

from operators.distill.finding import Finding
from operators.distill.spans import ValueKind

_I = re.IGNORECASE | re.ASCII
_EMAIL_HEAD = re.compile(r"[A-Za-z0-9._%+-]{1,64}\Z", re.ASCII)
_EMAIL_TAIL = re.compile(r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}", re.ASCII)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'，。；！？）】」』”]{1,2000}", _I)
_URL_TAIL = ".,;:!?)]}*_`"
_PHONE = re.compile(
    r"(?:\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{1,5}(?:[ -]?\d{2,5}){1,5}"
    r"|\(\d{2,4}\)[ -]?\d{3,4}(?:[ -]?\d{2,4}){1,2}|\d{3}[- .]\d{3}[- .]\d{4}|\d{3}-\d{4}|1[3-9]\d{9}"
    r"|1[3-9]\d[- ]\d{4}[- ]\d{4}|0\d{2,3}-\d{7,8}|400-\d{3,4}-\d{3,4}"
    r"|0\d{2,4} \d{5,8}|0\d{4} \d{3} \d{3}|0\d{2,4} \d{3,4} \d{3,4}|0\d(?: \d{2}){4}|0\d{9,10})(?![\w-])",
    re.ASCII,
)
_CODE = re.compile(
    r"#[A-Za-z0-9][A-Za-z0-9-]{0,39}|[A-Z]{1,6}-?\d[A-Z0-9]{0,30}(?:-[A-Z0-9]{1,12}){0,4}(?![\w.]\w|\w)"
    r"|[A-Z]{1,6}(?:-[A-Z0-9]{1,12}){0,3}-\d[A-Z0-9]{0,30}(?:-[A-Z0-9]{1,12}){0,4}(?!\w)"
    r"|[A-Z]{2,3} \d{2,5}(?![\w%.,:/]*\d| ?%|\w)",
    re.ASCII,
)
_DIGIT_CODE = re.compile(r"(?=[A-Z0-9]*[A-Z])(?=[A-Z0-9]*\d[A-Z0-9]*\d)[A-Z0-9]{4,30}(?![\w-])", re.ASCII)
_DOTTED = re.compile(r"\d{1,5}(?:\.\d{1,5}){2,4}(?![\w-]|\.\d)", re.ASCII)
_GROUPS = re.compile(r"\d{1,12}(?:-\d{1,12}){1,4}(?![\w-])", re.ASCII)
CUES = frozenset(
    [
        "order",
        "ticket",
        "parcel",
        "serial",
        "account",
        "booking",
        "reservation",
        "invoice",
        "case",
        "ref",
        "reference",
        "confirmation",
        "tracking",
        "number",
        "no",
        "id",
        "donor",
        "flight",
        "member",
        "membership",
        "policy",
        "claim",
        "code",
        "pin",
        "tag",
        "customer",
        "contract",
        "shipment",
        "package",
        "license",
        "licence",
        "model",
    ]
)
_CUED = re.compile(
    r"[ ]?(?P<mark>(?:(?:number|no\.?|nr\.?|id|code|ref(?:erence)?)\b\.?[ ]?)?(?:is |: ?|= ?|# )?['\"]?)"
    r"(?P<code>#?(?=[A-Za-z-]{0,12}\d)[A-Za-z0-9]{1,20}(?:-[A-Za-z0-9]{1,12}){0,4})(?![\w%]|[.:,/]\d)",
    _I,
)
_NOUN_AFTER = re.compile(r"[ ](?:[a-z]{2,15}[ ])?[a-z]{2,15}s\b|[ ]people", re.ASCII)
_HAN_CUED = re.compile(
    r"(?:序列号|订单号|订单|单号|编号|工单号?|票号|卡号|账号|快递单?号?|包裹|运单号?|会员号|房号"
    r"|车牌号?|航班号?|车次|合同号|号码)"
    r"(?:是|为)?[：:# ]{0,3}(?P<code>(?=[A-Za-z-]{0,12}\d)[A-Za-z0-9]{2,20}"
    r"(?:-[A-Za-z0-9]{1,12}){0,4})(?![A-Za-z0-9_])"
)
HAN_CUES = frozenset("序订单编工票卡账快包运会房车航合号")


def emails_in(text: str) -> list[Finding]:
    """All e-mail addresses of the text, in time linear in it."""
    found: list[Finding] = []
    at = text.find("@")
    while at >= 0:
        head = _EMAIL_HEAD.search(text[max(0, at - 64) : at])
        tail = _EMAIL_TAIL.match(text, at)
        if head is not None and tail is not None:
            start, end = at - len(head.group()), tail.end()
            if not found or found[-1].end <= start:
                found.append(Finding(ValueKind.EMAIL, start, end, text[start:end].casefold()))
        at = text.find("@", at + 1)
    return found


def urls_in(text: str) -> list[Finding]:
    """All web addresses of the text, without the punctuation that ends the sentence."""
    found = []
    for match in _URL.finditer(text):
        url = match.group().rstrip(_URL_TAIL)
        found.append(Finding(ValueKind.URL, match.start(), match.start() + len(url), url.rstrip("/")))
    return found


def phone_at(text: str, pos: int) -> Finding | None:
    match = _PHONE.match(text, pos)
    if match is None or (pos > 0 and text[pos - 1] in "-./"):
        return None
    digits = "".join(char for char in match.group() if char.isdigit() or char == "+")
    return Finding(ValueKind.PHONE, pos, match.end(), digits)


def _identifier(text: str, start: int, end: int) -> Finding:
    canonical = text[start:end].lstrip("#").replace(" ", "").casefold()
    return Finding(ValueKind.IDENTIFIER, start, end, canonical)


def code_at(text: str, pos: int) -> Finding | None:
    """A code that shows itself: "JOB-70215", "KT 906", "#C7D4", "8032-15", a version "2.6.3"."""
    if text[pos].isdigit():
        match = _DIGIT_CODE.match(text, pos) or _DOTTED.match(text, pos)
        if match is None:
            match = _GROUPS.match(text, pos)
            if match is None or not _is_code(match.group().split("-")):
                return None
    else:
        match = _CODE.match(text, pos)
        if match is None or len(match.group()) < 3 or not any(char.isdigit() for char in match.group()):
            return None
    return _identifier(text, pos, match.end())


def _is_code(groups: list[str]) -> bool:
    """Groups of digits are a code where one has four digits or more and they are not two years."""
    long = [group for group in groups if len(group) >= 4]
    years = all(len(group) == 4 and group[:2] in ("19", "20") for group in long)
    return bool(long) and not (years and len(groups) <= 2)


def cued_code_at(text: str, end: int) -> Finding | None:
    """The identifier after a cue word that ends at `end`. Without "number", "id" or a mark, it needs three
    digits and must not count what follows ("order 500 eggs")."""
    match = _CUED.match(text, end)
    if match is None:
        return None
    code = match["code"]
    phone = phone_at(text, match.start("code"))
    bare = text[:end].endswith("number")  # of an order or an account it would be that word's
    if phone is not None and (phone.end > match.end() or (bare and phone.end == match.end())):
        return phone  # "my phone number is 01632 960 145": all of it, not its first group
    digits = sum(char.isdigit() for char in code)
    if match["mark"] or code[0] == "#":
        if match["mark"].casefold().strip() in ("is", ":", "="):
            if digits < 3:
                return None
        elif digits < 1:
            return None
    elif (
        digits < 3 or (code.isdigit() and _NOUN_AFTER.match(text, match.end())) or text[end : end + 1] != " "
    ):
        return None
    return _identifier(text, match.start("code"), match.end())


def han_cued_code_at(text: str, pos: int) -> Finding | None:
    """The identifier after 序列号, 订单 and the like at `pos`."""
    match = _HAN_CUED.match(text, pos)
    return None if match is None else _identifier(text, match.start("code"), match.end())
