"""What a Chinese clause does with its facet, and the pieces around the word that does it."""

import re
from dataclasses import dataclass

from state.model import Act

_ALTER = (
    r"(?:更改|更换|(?<![维装检返抢])修改|变更|切换|调整|修正|更正|改正|更新|升级|降级|减少|增加|提高|降低|延长|缩短|推迟"
    r"|提前|延后|延期|顺延|降价|涨价|压缩|砍|压|下调|上调|扩大|缩小|改|换|调|变|转|挪|移|搬|减|加|升|降|涨|跌|推|延)"
)
_CHANGE = (
    rf"{_ALTER}(?:成了?|为了?|到了?|至)|(?:改|换)(?:用|由|在|去|走|坐|乘|约|订|送|寄|买|吃|做|叫|上|住|喝"
    rf"|学|发)了?"
    r"|(?:调|派|转)(?:去|往)了?|(?:跳槽?|转岗|调岗|搬家?)(?:到|去|至)了?|(?:提|上调|下调|放宽|拉|缩|增|减)(?:到"
    r"|至)(?=[\d一二三四五六七八九十两百])|(?:现在|目前|如今)(?:已经)?(?:是|变成|改为)(?=.{1,40}$)"
)
_BACK = (
    r"(?:恢复|还原)(?:为|成|到|至)|(?:改|换|用|调|搬|转|变|退|切|降|升|走|住|回)回(?:来|到|成|去|为)?(?:了)?"
    r"|还是(?:用|按|要|选|定|改|走|坐|住|去|订|保留|维持)?(?:回)?(?:原来|原先|之前|以前|原定|原|最初"
    r"|一开始)的?"
)
_RESTORE = re.compile(rf"(?P<left>.{{0,80}}?)(?P<verb>{_BACK})(?P<value>.*)$")
_STILL_TO = re.compile(
    r"(?P<left>.{0,40}?)(?P<verb>还是)(?!用|按|要|选|会|得|不|没|很|有)(?P<value>.{1,30}?)(?:吧|好了|算了)$"
)
_CHANGE_TO = re.compile(rf"(?P<left>.{{0,80}}?)(?P<verb>{_CHANGE})(?P<value>.+)$")
_CHANGE_BARE = re.compile(
    r"(?P<left>.{0,80}?)(?P<verb>改|换|推迟|提前|延)(?=(?:周|星期|下|明|后|今|早|上午|下午|晚|中午|\d"
    r"|[一二两三四五六七八九十]|“))(?P<value>.+)$"
)
_SWAP = re.compile(
    r"^(?P<left>)(?:那|就|还是|请|帮我|给我|都|想|要)*(?P<verb>换)(?!个|一|了|季|货|句|言|算|乘|位|来|去"
    r"|掉|下|好|届|代|洗|衣|药|鞋)(?P<value>.{2,20})$"
)
_INSTEAD = re.compile(
    r"^(?P<left>.{0,40}?)(?:不是|不要|不用|别用)(?P<old>.{1,30}?)[，,]?(?:而是|改用|应该是|是)(?P<value>.+)$"
)
_WITHDRAW = re.compile(
    r"(?P<left>.{0,80}?)(?:(?:都|就|也|先|已经?|给|全|全部|请|帮我|可以|能)*)(?P<verb>取消|作废|撤销|撤回"
    r"|撤掉|撤了|退订|退掉|解约|废止|不作数|不算数|当我没说|就当没说|忽略|无视|算了|作罢|停掉|关掉|停用|(?<=已)关闭|(?<=请)关闭|(?<=帮我)关闭|中止|终止"
    r"|注销)(?P<right>.*)$"
)
_NO_LONGER = re.compile(
    r"^(?P<left>.{0,30}?)(?:(?:暂时|已经|也|都|又|就|现在|以后|先|明天|今天|后天"
    r"|下周)*)(?P<verb>不(?:再)?(?!过|少|错|好意思|用谢|客气|得了|得不|太|大|小|多|一样|知道|同|对|方便"
    r"|清楚|舒服|见)[\u4e00-\u9fff]{1,12}|别(?!人|的|处|墅)[\u4e00-\u9fff]{1,12})了(?:吧|啊|哦)?$"
)
_ADD = re.compile(
    r"(?P<left>.{0,60}?)(?P<verb>(?:再|另外|多)(?:给我)?(?:加|订|买|要|来|添|报|带|开|约|送)(?:上|一?个"
    r"|了)?|加上|添上|补上|增加(?!到|为|至)|新增|追加|添加|加(?=[一两三四五六七八九十\d])"
    r"|加入)(?P<value>.+)$"
)
_PUT_ON = re.compile(
    r"(?P<left>.{0,20}?)(?:把|将)(?P<value>[^，把将]{1,30}?)(?:也|都|一起)*"
    r"(?P<verb>加上|加进去|加进来|添上|补上)(?:去)?(?:了|吧|一下)*$"
)
_PRICED = re.compile(r"[\d.]+\s?(?:元|块|万|%|折)")
_REMOVE = re.compile(
    r"(?P<left>.{0,60}?)(?P<verb>去掉|删掉|删除|去除|拿掉|移除|划掉|减掉|剔除|撤下)(?P<value>.*)$"
)
_UNWANTED = re.compile(r"(?P<left>.{0,40}?)不要(?P<value>[^了]{0,20})了$")
_UNCHANGED = re.compile(
    r"(?P<left>.{0,60}?)(?:都|也|还是|仍然|依旧|就|则|的)*(?:不变|没变|没有变|不用动|别动|不动|照旧|照常"
    r"|保持不变|不用改|不改|没改|维持原样|维持不变|还是原样|不受影响|一样不变)(?:了|吧|化)?$"
)
_NOT_YET = re.compile(
    r"(?:别|不要|不用|不会|不想|没有?|还没|(?<!能)不能|无法|没法|未|(?<![要能可])不)(?:有|再)?$"
)
_FILLER = re.compile(
    r"^(?:已经?|为您|给您|帮您|帮我|给我|请|麻烦|我|想|要|您|你|先|那|就|把|将|可以|能|也|都)+$"
)
_THING = re.compile(
    r"^(?P<thing>.{0,60}?)(?:的)?(?:这(?:个|件)?|那(?:个|件)?)?(?:的)?(?:事情?|申请|订单|单子|预约|计划"
    r"|安排)?$"
)


_MAY_ACT = frozenset(
    "关砍派退还改换调变更切修升降减增提延缩推顺涨压扩转挪移搬加跌跳现目如恢还用退走住放拉取作撤忽无算停中终注当就废解"
    "不别去删拿划剔再另多添补新追要动照维"
)
"""Characters of which every word that does something holds one: a clause without them only states."""


@dataclass(frozen=True, slots=True)
class Deed:
    """`act`, with what stands before its word (`left`) and after it (`value`); `old` is a value it ends."""

    act: Act
    left: str = ""
    verb: str = ""
    value: str = ""
    old: str = ""
    unchanged: bool = False


STATES = Deed(Act.STATE)


def deed_of(text: str) -> Deed:
    """What the words of one clause do; its final particles count (了). Takes time linear in the clause."""
    text = text.rstrip("!！。.~～ ")
    if _MAY_ACT.isdisjoint(text):
        return STATES
    same = _UNCHANGED.match(text)
    if same:
        return Deed(Act.STATE, left=same["left"], unchanged=True)
    undone = _undone(text)
    if undone:
        return undone
    back = _RESTORE.match(text) or _STILL_TO.match(text)
    if back and not _NOT_YET.search(back["left"]):
        return Deed(Act.RESTORE, back["left"], back["verb"], back["value"])
    change = _CHANGE_TO.match(text) or _CHANGE_BARE.match(text) or _SWAP.match(text)
    if change and not _NOT_YET.search(change["left"]):
        ended = _WITHDRAW.search(change["value"])
        if ended is None:
            return Deed(Act.CHANGE, change["left"], change["verb"], change["value"])
        return Deed(Act.WITHDRAW, change["left"], ended["verb"], "", _named(ended["left"]))
    return _listed(text) or _ended(text) or STATES


_UNDO = re.compile(
    r"^(?P<left>.{0,30}?)(?:还是|那就?|就|又|先|决定|我们?|麻烦|请|想)*(?:不|别|不要|不用|不想)(?:再)?"
    r"(?:取消|撤销|退订|退货|退款|退掉|退|作废|终止|中止|注销|停用|停掉)(?P<right>[^了吧，]{0,20}?)(?:了|吧|啦|啊)*$"
)
_REINSTATE = re.compile(
    r"^(?:那|就|还是|请|麻烦|帮我|给我|替我|我想|我要|想|要|已经?|把|将|为您|给您|帮您|您|你|能不能|可以|能否|可否)*"
    r"(?:(?P<left>.{2,30}?)(?:已经?|也|都|可以|请|帮我|给我|的?)*)?"
    r"(?:恢复|重新激活|重新启用)(?:了)?(?P<right>[^为成到至了吧一吗]{0,24})(?:了|吧|一下|吗|啦|好了)*$"
)
_AS_BEFORE = re.compile(r"^(?:供|通|营|正常|原|健|体|训|运)")


def _undone(text: str) -> Deed | None:
    """ "不取消了", "恢复订单": what was called off is to stand again."""
    found = _UNDO.match(text)
    if found is None:
        found = _REINSTATE.match(text)
        if found is None or _AS_BEFORE.match(found["right"]) or not (found["left"] or found["right"]):
            return None
        if not found["right"] and not _CALLED_OFF.search(found["left"]):
            return None
    left = _FILLER.sub("", found["left"] or "")
    return Deed(Act.RESTORE, left.removeprefix("把").removeprefix("将") or found["right"].strip())


_CALLED_OFF = re.compile(r"订单|单子?$|预约|预订|申请|服务|套餐|会员|课程|安排|订阅|活动|[A-Za-z0-9]$")


def _listed(text: str) -> Deed | None:
    for pattern, act in ((_REMOVE, Act.REMOVE), (_UNWANTED, Act.REMOVE), (_ADD, Act.ADD)):
        found = pattern.match(text)
        if (
            found
            and not _NOT_YET.search(found["left"])
            and not (act is Act.ADD and _PRICED.match(found["value"]))
        ):
            verb = found["verb"] if act is not Act.REMOVE or pattern is _REMOVE else "不要"
            value, left = found["value"], found["left"]
            if act is Act.REMOVE and not value.rstrip("了吧啊掉"):
                value, left = re.sub(r"^(?:把|将)", "", left), ""
            return Deed(act, left, verb, value)
    put = _PUT_ON.match(text)
    if put and not _NOT_YET.search(put["left"]):
        return Deed(Act.ADD, "", put["verb"], put["value"])
    instead = _INSTEAD.match(text)
    if instead:
        return Deed(Act.CHANGE, instead["left"], "是", instead["value"], instead["old"])
    return None


def _ended(text: str) -> Deed | None:
    found = _WITHDRAW.match(text)
    if found and not _NOT_YET.search(found["left"]):
        left = _FILLER.sub("", found["left"]) or re.sub(
            r"[了吧啊掉吗？?]+$", "", re.sub(r"^(?:掉|了)", "", found["right"])
        )
        return Deed(Act.WITHDRAW, _named(left), found["verb"])
    gone = _NO_LONGER.match(text)
    if gone:
        return Deed(Act.WITHDRAW, gone["left"], gone["verb"])
    return None


def _named(left: str) -> str:
    """The thing that is called off, without "的事", "那个"."""
    found = _THING.match(left)
    return found["thing"] if found and found["thing"] else left
