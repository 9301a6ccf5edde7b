"""How a Chinese clause is meant: a statement, a request, a question, a proposal, …

Closed classes of function words and set phrases; the order of the tests is the order of their force.
"""

import re

from operators.distill.chinese_clauses import Stretch
from operators.distill.clause import Mood
from state.model import Act

PARTICLES = "了吧呢啊哦哈呀啦嘛哟喽呗噢的哒"

_GREETED = (
    r"(?:老师|医生|大夫|师傅|先生|女士|小姐|亲|亲爱的|大家|各位|客服|店家|老板|同学|经理|您|你|各位老师"
    r"|[\u4e00-\u9fff]{1,3}(?:老师|先生|女士|小姐|总|姐|哥|师傅|经理|医生))"
)
_SOCIAL = re.compile(
    rf"(?:{_GREETED}|(?:早上|上午|中午|下午|晚上))?(?:你们?|您|大家)?好(?:呀|啊)?|(?:你们?|您)好[\s]*{_GREETED}|早安?|晚安|嗨|哈喽|hi"
    rf"|hello|在吗|在不在|在的|您请讲|请讲|请说"
    rf"|(?:好的?|那|嗯|非常|太|十分|万分|多)?(?:谢谢|感谢|多谢|谢了|感激|谢啦).{{0,14}}|thanks?|thx"
    rf"|(?:那就|真是|给)?(?:麻烦|拜托|有劳)(?:你|您|了|你们|您了|你了)+"
    rf"|不(?:用|必)?(?:客气|谢)|别客气|应该的|没(?:关系|事)儿?|不要紧|哪里哪里|过奖"
    rf"|再见|拜拜|回见|回头见|明天见|下次见|一会儿?见|(?:祝|愿|希望)您?.{{1,20}}(?:愉快|快乐|顺利|健康"
    rf"|康复|平安|成功|幸福|开心|好运|如意|好)"
    rf"|(?:大家|您|你|老师|各位)?(?:都)?辛苦.{{0,4}}|抱歉|对不起|不好意思|打扰了?|(?:非常|实在|很"
    rf"|真)(?:抱歉|对不起|不好意思).{{0,8}}|(?:真|太|挺|很|好|确实|可|真的|好像)?(?:太)?(?:好|棒|赞|牛"
    rf"|贴心|方便|不错|厉害|可惜|遗憾|巧|快|香|便宜|不便宜|不容易|难得|吓人|吓死人|气人|开心|高兴|舒服"
    rf"|感动)(?:了|啦|啊|呀|的|极了)?"
    rf"|(?:真|太|好)?(?:替|为)?(?:你|您|你们|他|她)?(?:感到)?(?:高兴|开心)|恭喜.{{0,8}}|祝贺.{{0,8}}|加油"
    rf"|哈+|呵+|嘿+|哇+|哎呀?|唉|咦|哦+|噢|喔|啊+|呃|额|嗯+|唔|诶"
    rf"|(?:都|我)?(?:已经?)?(?:收到|明白|了解|知道|清楚|懂|记住|记下|记好|记录好?|记录下来|登记好?|备注好?"
    rf"|保存|更新|记|存好|看到|办好|改好|安排好?|处理好?|提交|搞定|完成|确认|修改|调整|[\u4e00-\u9fff]{{1,2}}好)(?:了"
    rf"|啦|哦)?"
    rf"|(?:请)?(?:稍等|等等|等一下|稍候|您稍等).{{0,6}}|(?:您)?请?(?:注意安全|保重|放心|慢走|保持联系"
    rf"|随时联系.{{0,4}})|(?:有(?:问题|需要|事).{{0,3}})?(?:随时|欢迎).{{0,10}}"
    rf"|(?:我)?(?:就|只是?|就是)?随便?问{{1,2}}(?:问|一下)?(?:而已)?|随便(?:聊聊|看看|说说)"
    rf"|开(?:个)?玩笑的?|对了|顺便(?:说|问)(?:一下|一句)|没什么|没别的了?|就这些|就这样|是这样|这样啊"
    rf"|原来如此|原来是这样|难怪|怪不得|真的吗|是吗|对吧|对吗",
    re.IGNORECASE,
)
_LONGEST_SOCIAL = 30
_LONGEST_ASSENT = 16
_ASSENT = re.compile(
    r"(?:那|嗯)?(?:要|要的|好|好的|好嘞|好咧|得嘞|行|可以|成|中|没问题|没意见|同意|OK|okay|ok|是|是的|对|对的|没错"
    r"|确定|确认|不错|合适|当然|当然可以|妥|妥了|(?:什么|哪个|怎么|谁)?都(?:行|可以|好)|就这么定|就这么办|说定了|一言为定|成交|正合适"
    r"|正好|没毛病|听你的|听您的|挺好)[了吧呢啊哦哈呀啦嘛的滴]{0,2}"
    r"|(?:那|行|嗯|好)?就(?:这|那)(?:个|样|么|款|家|天|套|份|间)?(?:定|办|吧|来|好|了|时间|价)*|(?:那|行"
    r"|好)?就?(?:按|照|依|听|用)(?:着)?(?:这|那|你|您)(?:个|样|们)?(?:说)?的?(?:方案|计划|时间|意思|建议"
    r"|安排|来|办|价格?|说|吧|做)*|(?:这|那)个?(?:时间|方案|日子|价格)?(?:可以|行|好|没问题|合适"
    r"|不错)(?:的|啊|呀)?"
)
_AGREED_VALUE = re.compile(r"(?:那|好|行|嗯)?就(?:选|定|要|订|约|用|按|改|换)?(?=\S)")
_SETTLED = re.compile(r"(?:那|好|行|嗯)?就(?:选|定|订|要|买|约|按|用)(?!了)(?=\S)")
_OFFERING = re.compile(
    r"^(?:我们?|这边|个人)?(?:建议|推荐|提议|要不然?|不如|不妨)(?:您|你|咱们|我们)?(?:可以)?(?:选择?|订|坐"
    r"|约|买|改(?![到成为]))?"
)
_REFUSED = re.compile(
    r"(?:还是)?(?:先)?(?:不用|算|不必|不需要|不要|不了|免|不考虑|不行|不可以|不同意|不合适|不方便|不好"
    r"|没必要|改天再说|下次吧|下次再说|再说|用不着|别|不换|不改|不加|不办|不买|不订)(?:了|吧|啦|谢谢|啊"
    r"|的)*"
)
_IF = re.compile(
    r"^(?:那|但|不过)?(?:要是|如果|假如|假设|假使|倘若|若是?|万一|要不是|即使|就算|哪怕|除非|只要|一旦)"
)
_POLITE_IF = re.compile(r"(?:方便|可以|可能|有空|没问题|行|不麻烦|来得及|允许|有时间|不介意)的?话?$")
_OTHERWISE = re.compile(r"^(?:否则|要?不然)(?:的话)?")
_CAN = (
    r"(?:能不能|能否|可不可以|可以不可以|可否|是否可以|是否能|可以|能够|(?<!还)能|方便|好不好|麻烦"
    r"|有没有办法)"
)
_DOES = (
    r"(?:改|换|调|变更|更改|取消|撤|退|加|增|减|去掉|删|送|寄|发|帮|订|约|安排|推迟|提前|延|升级?|降"
    r"|恢复|留|放|预[订约定]|登记|转|开|用|查|写|备注|通知|联系|打电话|提供|告诉|换货|补)"
)
_ASKED_TO = re.compile(rf"{_CAN}[^？?]{{0,30}}?{_DOES}")
_QUESTION_WORD = re.compile(
    r"多少|什么|啥|何时|几点|几号|几[个位人天次斤楼月年折种间张箱套杯瓶]|周几|星期几|礼拜几|谁|哪"
    r"|怎么(?!样了)|怎样|咋|为何|多久|多长|多大|多高|多远|多重|是不是|有没有|能不能|要不要|会不会|可不可以"
    r"|是否|对不对|贵姓|如何"
)
_INDEFINITE = re.compile(
    r"没什么|什么都|谁都|哪[儿里个天]?都|怎么都|多少都|不管|无论|不论|随便|任何|知道|记得|记不|告诉|忘了"
    r"|不怎么|没怎么|没多少|没几|哪怕|怎么说|看看"
)
_ASK_TAIL = re.compile(r"(?:吗|了没有?)[啊呀]?$")
_OFFERED_TAIL = re.compile(
    r"(?:怎么样|怎样|如何|好不好|好吗|行吗|行不行|可以吗|可不可以|合适吗|可行吗|您看呢|你看呢|方便吗|成吗"
    r"|要不要)$"
)
_OFFERED = re.compile(
    r"^(?:那|我|我们|个人|还是|这边)?(?:建议|推荐|提议|要不|要不然|不如|不妨|何不)|(?:我|我们|这边"
    r"|店里)(?:可以|能)(?:给|帮|为|替)(?:您|你)|(?:您|你)(?:看|觉得).{0,30}(?:怎么样|如何|呢|行|可以|好)"
    r"|(?:还|都)?有(?:空位?|位置|名额|时间|档期|余位)|(?:最早|最快)(?:可以|能|是|要)|(?:可以|可)(?:约|选"
    r"|订)|(?:您|你)(?:可以|也可以)(?:选|考虑|试)"
)
_TAG = re.compile(
    r"(?:您|你|这样|那)?(?:看|觉得)?(?:可以|行|好|方便|合适|成|没问题)(?:吗|么|不|嘛)|(?:您|你)(?:看|觉得)(?:呢|如何|怎么样)?"
    r"|(?:怎么样|如何|好不好|行不行|可不可以|要不要|要吗|需要吗)"
)
_REQUEST = re.compile(
    rf"^(?:那|就|还有|另外|所以)?(?:请(?!问|假|客)|麻烦|帮|劳驾|拜托|给我|替我|务必|记得|别忘|千万)|^(?:我"
    rf"|我们)?(?:想要?|要|希望|需要|打算)(?:请|让)?(?:你们?|您)?(?:把|将|{_DOES})|^(?:把"
    rf"|将).{{1,40}}{_DOES}|^(?:先)?(?:别|不要|甭|请勿)|[前后时]请(?!假|客|柬|帖|问)|(?:帮我|帮忙|给我|替我)"
)
_URGED = re.compile(r"(?:吧|一下|好了|就行|就好|即可)[啊哦]?$")
_MARKER = re.compile(
    r"^(?:(?:好的|好(?![\u4e00-\u9fff])|行(?![\u4e00-\u9fff])|嗯+|哦+|对(?![\u4e00-\u9fff])|是的|那么"
    r"|那(?=[我你您他她就咱请把帮给]|这样)|对了|另外|还有|其实|然后|不过|但是?|可是|而且|并且|再说|话说"
    r"|顺便|首先|其次|最后|OK|ok|请问|想问一?下|问一?下|我想(?:请)?问(?:一下|下)?)[\s:：]*(?=\S{2}))"
)


def bare(text: str) -> str:
    """`text` without final particles and marks."""
    return text.rstrip(PARTICLES + "!！。.~～ ")


_VOCATIVE = re.compile(
    r"(?:[\u4e00-\u9fff]{1,2})?(?:先生|女士|小姐|老师|同学|太太|总|经理)|亲爱的.{0,6}|亲|各位.{0,4}|老师们"
    r"|大家"
)


def is_vocative(text: str) -> bool:
    """Whether the clause only names whom it speaks to ("丁先生")."""
    return _VOCATIVE.fullmatch(text) is not None


def is_social(text: str) -> bool:
    """Whether the clause is all greeting, thanks, farewell, praise or receipt."""
    if len(text) > _LONGEST_SOCIAL:
        return False
    plain = bare(text)
    return _SOCIAL.fullmatch(text) is not None or (plain != text and _SOCIAL.fullmatch(plain) is not None)


def is_assent(text: str) -> bool:
    """Whether the clause is all "yes", "fine", "as you propose"."""
    return len(text) <= _LONGEST_ASSENT and _ASSENT.fullmatch(text) is not None


def opens_hypothesis(text: str) -> bool:
    """Whether the clause supposes something and what follows depends on it."""
    if _IF.match(text):
        return not _POLITE_IF.search(text)
    return text.endswith("的话") and len(text) > 4 and not _POLITE_IF.search(text)


def is_tag(text: str) -> bool:
    """Whether the clause only asks for leave for what precedes it: "可以吗", "您看行吗"."""
    return _TAG.fullmatch(text) is not None


def is_courtesy(text: str) -> bool:
    """Whether the clause supposes only in politeness: "方便的话", "如果可以"."""
    return bool(_POLITE_IF.search(text)) and (bool(_IF.match(text)) or text.endswith("的话"))


def mood_of(stretch: Stretch, act: Act) -> Mood:
    """The mood of one clause seen alone; `act` is what its words do."""
    text = stretch.text
    if is_assent(text):
        return Mood.QUESTION if stretch.asked else Mood.ACCEPTANCE
    if _REFUSED.fullmatch(text):
        return Mood.REFUSAL
    if is_social(text) or is_courtesy(text):
        return Mood.SOCIAL
    if opens_hypothesis(text) or _OTHERWISE.match(text):
        return Mood.HYPOTHETICAL
    asking = _asking(stretch, act)
    if asking is not None:
        return asking
    if _OFFERED.search(text):
        return Mood.PROPOSAL
    if _REQUEST.search(text) or (act in _DOING and _URGED.search(text)):
        return Mood.REQUEST
    if _SETTLED.match(text):
        return Mood.ACCEPTANCE
    if _AGREED_VALUE.match(text) and (_URGED.search(text) or len(text) <= 8):
        return Mood.ACCEPTANCE
    return Mood.STATEMENT


_DOING = frozenset({Act.CHANGE, Act.WITHDRAW, Act.RESTORE, Act.ADD, Act.REMOVE})


def _asking(stretch: Stretch, act: Act) -> Mood | None:
    """QUESTION, REQUEST or PROPOSAL where the clause has the form of a question, else nothing."""
    text = bare(stretch.text)
    marked = stretch.asked or bool(_ASK_TAIL.search(stretch.text))
    if marked and _OFFERED_TAIL.search(text) and len(text) > 5:
        return (
            Mood.REQUEST
            if _ASKED_TO.search(text) and not text.endswith(("怎么样", "如何"))
            else Mood.PROPOSAL
        )
    worded = _QUESTION_WORD.search(text) is not None and _INDEFINITE.search(text) is None
    if not (marked or worded):
        return None
    if _ASKED_TO.search(text) and (
        not worded or (re.search(rf"^.{{0,12}}{_CAN}", text) and not _wants_answer(text))
    ):
        return Mood.REQUEST
    if marked and not worded and act in _DOING and stretch.asked and _REQUEST.search(text):
        return Mood.REQUEST
    return Mood.QUESTION


def _wants_answer(text: str) -> bool:
    return re.search(r"多少|什么|啥|几|谁|哪|怎么|为何|多久|查|告诉", text) is not None


def strip_marker(text: str) -> str:
    """`text` without the discourse markers that open it ("对了", "那", "请问")."""
    return _MARKER.sub("", text)


_REPORTED = re.compile(
    r"^(?![我你您没别当听据])[\u4e00-\u9fff]{1,6}?(?:说(?!明|法|话|服|不|的|好)|通知我们?|告诉我们?)"
)


def strip_reporter(text: str) -> str:
    """What was reported, without who reported it ("医生说")."""
    return _REPORTED.sub("", text) or text


_AGREES_TO = re.compile(
    r"^(?:那|好|行|嗯)?(?:就|还是)(?:选|定|要|订|约|用|按|改|换|买|走)?(?P<value>.{2,40}?)(?:来|办|算|了"
    r"|吧|好了)*$"
)


def agreed_value(text: str) -> str:
    """What a clause of the form "就…吧" settles on, "" for another clause."""
    found = _AGREES_TO.match(text)
    return found["value"] if found else ""


def strip_offer(text: str) -> str:
    """What is offered, without the words of offering ("建议您选")."""
    return _OFFERING.sub("", text) or text
