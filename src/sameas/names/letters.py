"""Letters that a model has not learned: which letters it knows stand for them, and which to remove.

A letter never seen is read as the nearest that was: é as e, since Unicode decomposes it; ø as o, by
`FOLDED`, since it does not; 約 as 约, by `SIMPLIFIED`, if the model has learned simplified
characters (or the other way round). A letter that the model has learned is always read as itself.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from sameas.errors import visible
from sameas.names.units import JOINERS, graphemes, script_of
from sameas.notes import Note

__all__ = [
    "FOLDED",
    "FORMATTING",
    "SIMPLIFIED",
    "Removed",
    "read_letters",
    "told_as",
    "without_formatting",
]

#: What people write for letters that Unicode does not decompose, in small letters.
FOLDED = {
    # Latin
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ŋ": "ng", "ß": "ss", "æ": "ae",
    "œ": "oe", "þ": "th", "ı": "i", "ĸ": "k", "ə": "e", "ǝ": "e", "ɛ": "e", "ɔ": "o", "ɨ": "i",
    "ʉ": "u", "ɓ": "b", "ƀ": "b", "ɗ": "d", "ɖ": "d", "ƙ": "k", "ɲ": "ny", "ŉ": "n", "ƴ": "y",
    "ƶ": "z", "ɣ": "gh", "ƒ": "f", "ⱥ": "a", "ɍ": "r", "ƿ": "w",
    # Cyrillic of other languages, as Russian writes it
    "і": "и", "ї": "и", "є": "е", "ґ": "г", "ј": "й", "љ": "ль", "њ": "нь", "ћ": "ч", "ђ": "дж",
    "џ": "дж", "ѕ": "дз", "қ": "к", "ғ": "г", "ә": "а", "ө": "о", "ү": "у", "ұ": "у", "ң": "н",
    "һ": "х", "җ": "ж", "ҷ": "ч", "ҳ": "х",
    # Arabic letters of Persian and Urdu, and shapes that are told apart by some writers only
    "ک": "ك", "ی": "ي", "ى": "ي", "گ": "ك", "پ": "ب", "چ": "ج", "ژ": "ز", "ة": "ه", "ٱ": "ا",
    "ہ": "ه", "ھ": "ه", "ے": "ي", "ں": "ن",
    # and the other way round, for models of Persian
    "ك": "ک", "ي": "ی",
}  # fmt: skip

#: Signs that steer how text is laid out. They are no part of a name, and do not show.
FORMATTING = frozenset(
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufeff"
)
# Scripts whose letters look or read differently with a joiner between them.
_JOINING = (
    *("Arabic", "Syriac", "Mongolian", "Nko", "Devanagari", "Bengali", "Gurmukhi", "Gujarati"),
    *("Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar"),
    *("Tibetan", "Balinese", "Javanese"),
)

# Traditional characters that occur in names, each before its simplified form.
_CHINESE = """
爾尔 維维 羅罗 亞亚 納纳 馬马 奧奥 諾诺 萊莱 頓顿 蘭兰 薩萨 達达 韋韦 魯鲁 貝贝 倫伦 聖圣 庫库 內内
茲兹 盧卢 烏乌 圖图 凱凯 園园 蘇苏 謝谢 傑杰 溫温 區区 齊齐 東东 約约 費费 鎮镇 喬乔 錫锡 熱热 蓋盖
漢汉 賈贾 濟济 寧宁 勞劳 紹绍 賴赖 澤泽 萬万 島岛 門门 懷怀 紐纽 華华 賽赛 麥麦 邁迈 灘滩 灣湾 瑪玛
歐欧 賓宾 靈灵 呂吕 龍龙 別别 舊旧 遜逊 徹彻 莊庄 揚扬 訥讷 麗丽 樹树 農农 欽钦 緬缅 興兴 軍军 貢贡
連连 鮑鲍 縣县 湯汤 場场 愛爱 橋桥 葉叶 車车 鄧邓 點点 學学 嶺岭 歷历 濱滨 開开 寶宝 岡冈 當当 紅红
裏里 國国 櫚榈 棟栋 礦矿 綠绿 長长 雲云 滿满 營营 畢毕 許许 豐丰 鐵铁 龐庞 來来 將将 藍蓝 鄉乡 錢钱
佈布 劍剑 孫孙 峽峡 敘叙 曉晓 楊杨 樂乐 窩窝 脫脱 贊赞 銀银 劉刘 叢丛 堅坚 堯尧 宮宫 實实 崗岗 廣广
會会 瓊琼 發发 範范 臘腊 觀观 賀贺 闊阔 陽阳 雙双 頭头 鬆松 鹽盐 黃黄 巖岩 恆恒 樓楼 畝亩 禮礼 簡简
線线 義义 聯联 衛卫 貴贵 順顺 鳳凤 侖仑 務务 噴喷 塢坞 廠厂 強强 彎弯 斷断 條条 櫻樱 氣气 燈灯 獨独
瓏珑 碼码 磯矶 紀纪 給给 絨绒 絲丝 繆缪 臺台 蓮莲 蘆芦 覺觉 記记 詩诗 語语 買买 軒轩 遺遗 邊边 錦锦
關关 際际 鬥斗 魚鱼 鷹鹰 側侧 匯汇 參参 啟启 圓圆 夢梦 崑昆 崙仑 師师 後后 數数 於于 書书 極极 榮荣
標标 樞枢 檳槟 歡欢 淚泪 淺浅 溝沟 牆墙 獎奖 現现 瑤瑶 環环 產产 種种 穀谷 積积 筆笔 籠笼 紗纱 紮扎
細细 統统 緣缘 總总 聲声 腳脚 與与 蔭荫 蕭萧 薔蔷 號号 補补 設设 試试 調调 讓让 跡迹 輔辅 醫医 鈴铃
鐘钟 閃闪 陣阵 陰阴 陸陆 雜杂 電电 領领 顏颜 風风 駐驻 騰腾 鱷鳄 鳩鸠
裡里 聶聂 幾几 齋斋 誇夸 鑽钻 諸诸 騷骚 鴿鸽 綏绥 謨谟 鴉鸦 韃鞑 捨舍 欖榄 壟垄 謬谬 饒饶 鴨鸭 諫谏
鄔邬 闍阇 則则 棧栈 進进 蟲虫 鋅锌 壩坝 縉缙 櫟栎 篤笃 爛烂 礫砾 聰聪 對对 豎竖 晉晋 楓枫 誕诞 寳宝
淵渊 衞卫 涼凉 佔占 顎颚 鬚须 閒闲 祕秘 幹干 訶诃
婭娅 蘿萝 馮冯 潔洁 額额 優优 彌弥 緹缇 韓韩 頌颂 儂侬 彥彦 陳陈 潑泼 偉伟 載载 單单 寬宽 剛刚 祿禄
鐸铎 賢贤 閔闵 禪禅 釋释 顧顾 顯显 潤润 碩硕 鍾钟 燦灿 親亲 確确 渾浑 稱称 趙赵 諦谛 純纯 勳勋 嚴严
應应 謙谦 織织 壯壮 謀谋 輸输 鋼钢 為为 頻频 濕湿 獲获 糾纠 馳驰 輝辉 憲宪 獻献 閏闰 淨净 虛虚 鵬鹏
綱纲 選选 蘋苹 穌稣 獵猎 機机 綽绰 銳锐 愷恺 誠诚 傳传 肅肃 蠻蛮 閣阁 塗涂 復复 龔龚 囉啰 鉢钵 願愿
監监 體体 綺绮 戀恋 經经 臥卧 璉琏 緋绯 頗颇 儀仪 計计 濤涛 韜韬 邏逻 姍姗 說说 團团 贏赢 嬋婵 竇窦
銘铭 鈞钧 蔣蒋 隱隐 軻轲 瑩莹 駱骆 嬌娇 瑋玮 協协 諧谐 徠徕 壇坛 藹蔼 權权 緯纬 齡龄 穎颖 瀾澜 頤颐
"""
#: The simplified form of traditional characters that occur in names.
SIMPLIFIED = {pair[0]: pair[1] for pair in _CHINESE.split()}
_TRADITIONAL = {simplified: one for one, simplified in reversed(SIMPLIFIED.items())}


def without_formatting(name: str) -> str:
    """Return the name without signs of layout, and without joiners where they mean nothing.

    >>> without_formatting("An\\u200ena\\ufeff"), without_formatting("An\\u200dna")
    ('Anna', 'Anna')
    >>> len(without_formatting("न्\\u200dदी"))
    5
    """
    if name.isascii():
        return name
    if any(sign in name for sign in JOINERS) and not any(map(_uses_joiners, name)):
        name = "".join(sign for sign in name if sign not in JOINERS)
    if FORMATTING.isdisjoint(name):
        return name
    return "".join(sign for sign in name if sign not in FORMATTING)


class Removed:
    """Counts the signs that were removed from names, and from how many names.

    >>> removed = Removed()
    >>> removed.from_name("An\\u200ena"), str(removed.notes()[0])
    ('Anna', '1 invisible character of layout removed from 1 name: U+200E')
    """

    def __init__(self) -> None:
        self._names = 0
        self._signs: Counter[str] = Counter()

    def from_name(self, name: str) -> str:
        """Return the name without them."""
        left = without_formatting(name)
        if len(left) != len(name):
            self._names += 1
            self._signs += Counter(name) - Counter(left)
        return left

    def notes(self) -> list[Note]:
        """Return a note, if there were any."""
        if not self._names:
            return []
        signs = " ".join(f"U+{ord(sign):04X}" for sign in sorted(self._signs))
        return [Note("layout-removed", count=self._signs.total(), within=self._names, signs=signs)]


@lru_cache(maxsize=65536)
def _uses_joiners(sign: str) -> bool:
    return script_of(sign) in _JOINING or unicodedata.category(sign) == "So"


def read_letters(
    units: Sequence[str], known: Container[str], *, convert: bool = True
) -> list[tuple[str, ...]]:
    """Return, for each unit of a name, the known letters it is read as, or ().

    With `convert`, traditional Chinese characters are read as simplified ones, or these as those.

    >>> read_letters("stra\\u00dfé☃", frozenset("aerst"))
    [('s',), ('t',), ('r',), ('a',), ('s', 's'), ('e',), ()]
    """
    new = [unit for unit in dict.fromkeys(units) if unit not in known]
    if not new:
        return [(unit,) for unit in units]
    found = {unit: _nearest(unit, known) for unit in new}
    if convert:
        found |= _converted([unit for unit in new if not found[unit]], known)
    return [found.get(unit, (unit,)) for unit in units]


def _nearest(unit: str, known: Container[str]) -> tuple[str, ...]:
    """The letter without its marks, or what people write for it, if that is known."""
    plain = unicodedata.normalize("NFD", unit)[:1]
    if plain in known:
        return (plain,)
    if "\uff61" <= plain <= "\uff9f":  # katakana of half width, whose marks are signs of their own
        whole = unicodedata.normalize("NFKC", unit)
        if whole in known:
            return (whole,)
    small = plain.lower()
    written = FOLDED.get(small) or "".join(
        one for one in unicodedata.normalize("NFKD", unit) if not unicodedata.combining(one)
    )
    capital = small != plain
    for shown in (written.capitalize(), written.upper(), written) if capital else (written,):
        letters = graphemes(shown)
        if letters and all(letter in known for letter in letters):
            return letters
    return ()


def _converted(new: Sequence[str], known: Container[str]) -> dict[str, tuple[str, ...]]:
    """Characters as the other way of writing Chinese has them, if that gives all that are new: a
    name in which some have no other form is not written in the other way, but in Japanese."""
    for forms in (SIMPLIFIED, _TRADITIONAL):
        found = {unit: forms.get(unit, "") for unit in new}
        if all(other in known for other in found.values()):
            return {unit: (other,) for unit, other in found.items()}
    return {}


def told_as(read: Iterable[tuple[str, str]], most: int = 5) -> Note:
    """Return a note on which letters were read as which.

    >>> print(told_as([("ß", "ss"), ("ł", "l"), ("ß", "ss")]))
    2 letters never seen, read as others: ß as ss, ł as l
    """
    distinct = {visible(unit): visible(other) for unit, other in read}
    shown = dict(list(distinct.items())[:most])
    more = {"how": "more"} if len(distinct) > most else {}
    return Note("letters-read-as", count=len(distinct), values=more, read=shown)
