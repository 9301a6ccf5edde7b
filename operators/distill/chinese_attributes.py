"""What Chinese calls an attribute: nouns that end a topic ("配送地址"), and verbs that imply one."""

import re

_HEADS = (
    "账单日|合计|总计|总额|总金额|月租|月供|价格|单价|总价|价钱|费用|房租|租金|押金|定金|订金|月费|年费|会费|运费|邮费|学费|预算|工资|薪水|月薪"
    "|年薪|收入|余额|金额|利率|利息|折扣|优惠|额度|首付|月供|尾款"
    "|时间|日期|日子|(?:配送|送货|上课|发薪|还款|扣款|到期|截止|开学|休息|考试|交付|取货|发货)日|期限"
    "|有效期|保质期|保修期|保留期|工期|租期|学期|假期|账期|周期|时长|截止日?|生日|年龄|班次|时段|频率|日程"
    "|档期"
    "|地址|地点|位置|场地|场所|住址|住处|城市|座位|房间|房号|楼层|车位|会场|网点|入口|出口"
    "|电话|手机号码|手机号|手机|电话号码|号码|微信|邮箱|邮件|账号|账户|密码|卡号|会员号|快递单?号|运单号|取件[码号]|预约号|合同号|房间号|工单号|单号|编号|序列号|订单号|航班号?|车次"
    "|车牌号?|学号|工号|身份证号?|网址|链接"
    "|人数|数量|数目|份数|件数|次数|名额|库存|容量|重量|体重|身高|面积|长度|宽度|高度|厚度|尺寸|尺码|大小"
    "|规格|型号|款式|颜色|材质|面料|口味|口感|甜度|辣度|浓度|温度|湿度|版本|配置|套餐|档位|等级|级别"
    "|会员等级|品牌|牌子|风格|格式|语言|主题|题目|标题|名称|名字|姓名|昵称|称呼|全名"
    "|主持人|负责人|联系人|收货人|收件人|经办人|发言人|主讲人?|嘉宾|接送人|陪同人?|签约人"
    "|职位|职务|岗位|职业|专业|学历|状态|进度|结果|原因|方式|形式|方案|路线|线路|目的地|出发地|起点|终点"
    "|车型|房型|户型|舱位|座席|数据库|语种|域名|端口"
    "|爱好|兴趣|习惯|忌口|过敏源?|血型|血压|血糖|星座|籍贯|国籍|民族|性别|婚姻状况|宠物|内存|硬盘|带宽"
    "|流量|处理器|显卡|里程|油耗|功率|一等奖|二等奖|三等奖|奖品|礼物|伴手礼|早餐|午餐|晚餐|主菜|甜点|饮料"
    "|菜单|酒水|背景音乐|着装|发票抬头|抬头|税号|发票|备注|支付方式|付款方式|配送方式"
)
_THINGS = (
    "讲师|老师|教练|主管|经理|医生|师傅|司机|导游|顾问|客服|店长|队长|组长|班长|班主任|房东|快递员|管家"
    "|保姆|阿姨|同桌|室友|搭档|供应商|承运商|厂家"
    "|公司|单位|部门|学校|班级|会议室|教室|门店|系统|平台|框架|引擎|模型|接口|环境|服务器|分支|文件夹|目录"
)
"""Nouns that are an attribute of something, and a thing of their own as readily."""
_ROLES = "老师|教练|医生|师傅|司机|导游|顾问|室友|搭档|供应商"
_ROLE = re.compile(_ROLES)
_ROLE_AT_END = re.compile(rf"(?<=[\u4e00-\u9fff]{{2}})(?:{_ROLES})$")
_PLACES = re.compile("公司|单位|部门|学校|班级|门店|系统|平台|环境|服务器")
_SUFFIX = "[\u4e00-\u9fff]{1,2}(?<![续缴付免收消浪交])(?:费|价|率|额|数|奖)"
_MODIFIER = (
    "购买|上线|发布|配送|送货|送达|取货|取件|到货|发货|收货|收件|寄件|入住|退房|开始|结束|截止|出发|到达"
    "|返程|生效|维修|安装|预计|预约|预定|上课|下课|上班|下班|开会|集合|联系|紧急联系|面试|体检|复诊|就诊"
    "|手术|开业|营业|交付|完工|开工|装修|付款|还款|扣款|退款|续费|到期|登机|起飞|降落|考试|报名|开课"
    "|活动|婚礼|聚餐|用餐|登记|注册|绑定|办公|工作|居住|存放|签到|接送|计划|实际|最终|默认|当前|常用"
    "|备用|上门|保修|每月|月度|最低|最高|总|快递|家庭|单位|办公|邮寄|寄送|派送|投递|通讯|户籍|账单"
)
_HEAD_AT_END = re.compile(rf"(?P<attribute>(?:{_MODIFIER})?(?:{_HEADS}))$")
_SUFFIX_AT_END = re.compile(rf"(?P<attribute>{_SUFFIX})$")
_THING = re.compile(rf"(?:{_MODIFIER})?(?:{_THINGS})")
_VERB_AT_END = re.compile(
    r"(?P<attribute>保留|保存|有效|保修|持续|限制|限|维持|质保|试用|免费|预留|停留|控制|剩余|还剩|剩)$"
)
_LIGHT_AT_END = re.compile(
    r"(?:大概|大约|(?<![预合签])约|预计|估计|一共|总共|共|共计|合计|需要|需|要|有|得|才|只要|只|仅|应该|可能|差不多"
    r"|暂定|初步|刚好|改|也)+$"
)

ROLE_OF_VERB = {
    "接": "接送人", "接送": "接送人", "送": "接送人", "主持": "主持人", "负责": "负责人", "讲": "主讲人",
    "主讲": "主讲人",
    "教": "老师", "带": "带队人", "照顾": "照顾人", "保管": "保管人", "跟进": "负责人", "对接": "对接人",
    "签收": "签收人",
    "收": "收件人", "开": "司机", "做": "负责人", "出": "出资人", "付": "付款人", "维修": "师傅",
    "上门": "师傅", "陪": "陪同人",
    "看": "照顾人", "审核": "审核人", "审批": "审批人", "代": "代理人", "管": "负责人",
}  # fmt: skip
"""Who does it, by the verb: "由爷爷接" → 接送人."""

_WHEN_OF_VERB = {
    "送": "配送时间", "配送": "配送时间", "派送": "配送时间", "送达": "配送时间", "送到": "配送时间",
    "到": "到达日期", "到货": "到货日期", "发货": "发货日期",
    "寄出": "发货日期", "取": "取货日期", "上线": "上线时间", "出发": "出发时间", "开会": "会议时间",
    "开始": "开始时间", "结束": "结束时间",
    "买": "购买日期", "购买": "购买日期", "下单": "下单日期", "订": "预订日期", "入住": "入住日期",
    "退房": "退房日期", "交付": "交付日期", "上课": "上课时间", "上": "上课时间", "装": "安装时间",
    "来装": "安装时间", "取货": "取货日期", "送货": "配送时间", "上门": "上门时间", "来修": "上门时间",
    "修": "上门时间", "面试": "面试时间",
    "复查": "复查时间", "复诊": "复诊时间", "体检": "体检时间", "手术": "手术时间", "到期": "到期日",
    "截止": "截止日期", "开业": "开业日期",
    "起飞": "起飞时间", "营业": "营业时间", "扣款": "扣款日", "还款": "还款日", "发工资": "发薪日",
    "完工": "完工日期", "开工": "开工日期", "安装": "安装时间", "维修": "维修时间", "检修": "检修时间",
    "保养": "保养时间", "清洗": "清洗时间", "取件": "取件时间", "测量": "测量时间", "拆机": "拆机时间",
}  # fmt: skip
"""When it happens, by the verb: "每周四送" → 配送日."""


def names_role(word: str) -> bool:
    """Whether the word is a part that people play ("师傅"), so that its value is a name."""
    return _ROLE.fullmatch(word) is not None


def tells_when(verb: str) -> bool:
    """Whether the verb is one that days and times are usually told of."""
    return verb in _WHEN_OF_VERB or verb.lstrip("来去") in _WHEN_OF_VERB


def names_attribute(words: str) -> bool:
    """Whether the words end in a noun that is an attribute of something, and no thing of its own."""
    return _attribute_in(words) is not None


def when_of(verb: str) -> str:
    """The attribute that a verb gives to a day or a time: its own name, or the verb with 时间."""
    plain = verb.lstrip("来去") or verb
    return _WHEN_OF_VERB.get(verb) or _WHEN_OF_VERB.get(plain) or (f"{plain}时间" if plain else "")


_NEW = re.compile(rf"(?:(?<=[我你您他她的])|^)(?:新|最新)的?(?=(?:{_MODIFIER})?(?:{_HEADS})$)")
_NEW_INSIDE = re.compile(rf"(?<![更创全重刷最崭清])(?:新|最新)的?(?=(?:{_MODIFIER})?(?:{_HEADS}))")


def tells_new(text: str) -> bool:
    """Whether the text gives a new value of an attribute in so many words ("新地址", "新的号码")."""
    return _NEW_INSIDE.search(text) is not None


def split_topic(topic: str) -> tuple[str, str]:
    """(entity, attribute) of what stands before a value: "订单的收货地址" → 订单, 收货地址.

    Either may be empty; without an attribute word the topic is all entity.
    """
    topic = _LIGHT_AT_END.sub("", topic) or topic
    topic = _NEW.sub("", topic)
    head, mark, tail = topic.rpartition("的")
    if mark and head and 0 < len(tail) <= 8 and (_THING.fullmatch(tail) or _attribute_in(tail)):
        return head, tail
    verb = _VERB_AT_END.search(topic)
    if verb:
        return _LIGHT_AT_END.sub("", topic[: verb.start()]), verb["attribute"]
    if _THING.fullmatch(topic):
        return (topic, "") if _PLACES.fullmatch(topic) else ("", topic)
    role = _ROLE_AT_END.search(topic)
    if role:
        return topic[: role.start()], role.group()
    named = _attribute_in(topic)
    if named:
        return topic[: named.start()].rstrip("的"), named["attribute"]
    return topic, ""


_HEAD_AT_START = re.compile(
    rf"(?P<topic>[\u4e00-\u9fff]{{0,6}}?(?>(?:{_MODIFIER})?(?:{_HEADS})))(?P<rest>.+)$"
)


def attribute_first(text: str) -> tuple[str, str] | None:
    """(topic, rest) of a text that opens with an attribute word: "收件人老魏和阿满"."""
    found = _HEAD_AT_START.match(text)
    return (found["topic"], found["rest"]) if found else None


def _attribute_in(words: str) -> re.Match[str] | None:
    return _HEAD_AT_END.search(words) or _SUFFIX_AT_END.search(words)
