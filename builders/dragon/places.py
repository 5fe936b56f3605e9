"""The parts of countries that maps show: their names, and what they border.

Borders are those over land or a river; the four states that meet in one point do not all border
each other. What lies around a country (`Canada`, `Great Lakes`) has a line of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from benchloom.builders.dragon.matching import fold

# Codes, names and neighbours of each part.
_PARTS = {
    "usa": """
        AL Alabama: FL GA MS TN
        AK Alaska:
        AZ Arizona: CA NM NV UT
        AR Arkansas: LA MO MS OK TN TX
        CA California: AZ NV OR
        CO Colorado: KS NE NM OK UT WY
        CT Connecticut: MA NY RI
        DC District of Columbia, Washington DC, Washington D.C.: MD VA
        DE Delaware: MD NJ PA
        FL Florida: AL GA
        GA Georgia: AL FL NC SC TN
        HI Hawaii:
        ID Idaho: MT NV OR UT WA WY
        IL Illinois: IA IN KY MO WI
        IN Indiana: IL KY MI OH
        IA Iowa: IL MN MO NE SD WI
        KS Kansas: CO MO NE OK
        KY Kentucky: IL IN MO OH TN VA WV
        LA Louisiana: AR MS TX
        ME Maine: NH
        MD Maryland: DC DE PA VA WV
        MA Massachusetts: CT NH NY RI VT
        MI Michigan: IN OH WI
        MN Minnesota: IA ND SD WI
        MS Mississippi: AL AR LA TN
        MO Missouri: AR IA IL KS KY NE OK TN
        MT Montana: ID ND SD WY
        NE Nebraska: CO IA KS MO SD WY
        NV Nevada: AZ CA ID OR UT
        NH New Hampshire: MA ME VT
        NJ New Jersey: DE NY PA
        NM New Mexico: AZ CO OK TX
        NY New York: CT MA NJ PA VT
        NC North Carolina: GA SC TN VA
        ND North Dakota: MN MT SD
        OH Ohio: IN KY MI PA WV
        OK Oklahoma: AR CO KS MO NM TX
        OR Oregon: CA ID NV WA
        PA Pennsylvania: DE MD NJ NY OH WV
        RI Rhode Island: CT MA
        SC South Carolina: GA NC
        SD South Dakota: IA MN MT ND NE WY
        TN Tennessee: AL AR GA KY MO MS NC VA
        TX Texas: AR LA NM OK
        UT Utah: AZ CO ID NV WY
        VT Vermont: MA NH NY
        VA Virginia: DC KY MD NC TN WV
        WA Washington: ID OR
        WV West Virginia: KY MD OH PA VA
        WI Wisconsin: IA IL MI MN
        WY Wyoming: CO ID MT NE SD UT
    """,
    "china": """
        AH Anhui: HA HB JS JX SD ZJ
        BJ Beijing: HE TJ
        CQ Chongqing: GZ HB HN SC SN
        FJ Fujian: GD JX ZJ
        GD Guangdong: FJ GX HK HN JX MO
        GS Gansu: NM NX QH SC SN XJ
        GX Guangxi, Guangxi Zhuang: GD GZ HN YN
        GZ Guizhou: CQ GX HN SC YN
        HA/HEN Henan: AH HB HE SD SN SX
        HB/HUB Hubei: AH CQ HA HN JX SN
        HE/HEB Hebei: BJ HA LN NM SD SX TJ
        HI Hainan:
        HK Hong Kong: GD
        HL Heilongjiang: JL NM
        HN/HUN Hunan: CQ GD GX GZ HB JX
        JL Jilin: HL LN NM
        JS Jiangsu: AH SD SH ZJ
        JX Jiangxi: AH FJ GD HB HN ZJ
        LN Liaoning: HE JL NM
        MO Macau, Macao: GD
        NM/IM Inner Mongolia, Nei Mongol, Nei Menggu: GS HE HL JL LN NX SN SX
        NX Ningxia, Ningxia Hui: GS NM SN
        QH Qinghai: GS SC XJ XZ
        SC Sichuan: CQ GS GZ QH SN XZ YN
        SD Shandong: AH HA HE JS
        SH Shanghai: JS ZJ
        SN/SAA Shaanxi: CQ GS HA HB NM NX SC SX
        SX Shanxi: HA HE NM SN
        TJ Tianjin: BJ HE
        TW Taiwan:
        XJ Xinjiang, Xinjiang Uygur, Xinjiang Uyghur: GS QH XZ
        XZ Tibet, Xizang: QH SC XJ YN
        YN Yunnan: GX GZ SC XZ
        ZJ Zhejiang: AH FJ JS JX SH
    """,
    "india": """
        AN Andaman and Nicobar, Andaman & Nicobar, Andaman and Nicobar Islands:
        AP Andhra Pradesh: CG KA OD PY TN TS
        AR Arunachal Pradesh: AS NL
        AS Assam: AR ML MN MZ NL TR WB
        BR Bihar: JH UP WB
        CG/CT Chhattisgarh: AP JH MH MP OD TS UP
        CH Chandigarh: HR PB
        DD Daman and Diu, Daman & Diu: GJ
        DL Delhi, NCT of Delhi, New Delhi: HR UP
        DN Dadra and Nagar Haveli, Dadra & Nagar Haveli: GJ MH
        GA Goa: KA MH
        GJ Gujarat: DD DN MH MP RJ
        HP Himachal Pradesh: HR JK LA PB UK UP
        HR Haryana: CH DL HP PB RJ UK UP
        JH Jharkhand: BR CG OD UP WB
        JK Jammu and Kashmir, Jammu & Kashmir: HP LA PB
        KA Karnataka: AP GA KL MH TN TS
        KL Kerala: KA TN
        LA Ladakh: HP JK
        LD Lakshadweep:
        MH Maharashtra: CG DN GA GJ KA MP TS
        ML Meghalaya: AS
        MN Manipur: AS MZ NL
        MP Madhya Pradesh: CG GJ MH RJ UP
        MZ Mizoram: AS MN TR
        NL Nagaland: AR AS MN
        OD/OR Odisha, Orissa: AP CG JH WB
        PB Punjab: CH HP HR JK RJ
        PY Puducherry, Pondicherry: AP TN
        RJ Rajasthan: GJ HR MP PB UP
        SK Sikkim: WB
        TN Tamil Nadu: AP KA KL PY
        TR Tripura: AS MZ
        TS/TG Telangana: AP CG KA MH
        UK/UT Uttarakhand, Uttaranchal: HP HR UP
        UP Uttar Pradesh: BR CG DL HP HR JH MP RJ UK
        WB West Bengal: AS BR JH OD SK
    """,
}
# What lies around a country, and the parts that border it.
_AROUND = {
    "usa": """
        Canada, Canadian: AK WA ID MT ND MN MI OH PA NY VT NH ME
        Mexico, Mexican: CA AZ NM TX
        Great Lakes: MN WI IL IN MI OH PA NY
        Lake Michigan: WI IL IN MI
        Gulf of Mexico, Gulf Coast: TX LA MS AL FL
        west coast, western coast, Pacific: WA OR CA
        east coast, eastern coast, Atlantic: ME NH MA RI CT NY NJ DE MD VA NC SC GA FL
    """,
    "china": """
        Russia, Russian: XJ NM HL JL
        Mongolia, Mongolian: XJ GS NM
        Kazakhstan: XJ
        Kyrgyzstan: XJ
        Tajikistan: XJ
        Afghanistan: XJ
        Pakistan: XJ
        India, Indian: XJ XZ
        Nepal: XZ
        Bhutan: XZ
        Myanmar, Burma: XZ YN
        Laos: YN
        Vietnam: YN GX
        North Korea: JL LN
        Yellow Sea: LN SD JS
        East China Sea: JS SH ZJ FJ
        South China Sea: FJ GD GX HI
    """,
    "india": """
        Pakistan: JK LA PB RJ GJ
        China, Chinese: LA HP UK SK AR
        Nepal: UK UP BR WB SK
        Bhutan: SK WB AS AR
        Bangladesh: WB AS ML TR MZ
        Myanmar, Burma: AR NL MN MZ
        Arabian Sea: GJ MH GA KA KL
        Bay of Bengal: WB OD AP TN
        west coast, western coast: GJ MH GA KA KL
        east coast, eastern coast: WB OD AP TN
    """,
}


@dataclass(frozen=True)
class Country:
    """The parts of a country.

    Attributes:
        name: As MapWise calls it.
        names: By code, all names of a part, its codes last.
        neighbours: By code, the codes of the parts that it borders.
        around_names: By name, all names of what lies around the country.
        around: By name, the codes of the parts that border what lies around it.
    """

    name: str
    names: Mapping[str, tuple[str, ...]]
    neighbours: Mapping[str, tuple[str, ...]]
    around_names: Mapping[str, tuple[str, ...]]
    around: Mapping[str, tuple[str, ...]]

    def code(self, label: str) -> str | None:
        """Returns the code of the part that a label is a name of, None if it is of none."""
        return self._codes.get(fold(label))

    @cached_property
    def _codes(self) -> dict[tuple[str, ...], str]:
        return {fold(name): code for code, names in self.names.items() for name in names}


@cache
def countries() -> tuple[Country, ...]:
    """Returns the countries of which the parts are known."""
    return tuple(_read(name) for name in _PARTS)


def find_country(labels: Iterable[str]) -> Country | None:
    """Returns the country that most of some labels are parts of; None if that is no majority."""
    all_of_them = list(labels)
    counted = [
        (sum(country.code(label) is not None for label in all_of_them), country)
        for country in countries()
    ]
    number, country = max(counted, key=lambda one: one[0])  # the first of equals
    return country if 2 * number > len(all_of_them) else None


def _read(name: str) -> Country:
    names, neighbours = {}, {}
    for before, after in _lines(_PARTS[name]):
        codes, _, words = before.partition(" ")
        code, *others = codes.split("/")
        names[code] = (*_split(words), code, *others)
        neighbours[code] = tuple(after.split())
    around_names, around = {}, {}
    for before, after in _lines(_AROUND[name]):
        known_as = _split(before)
        around_names[known_as[0]] = known_as
        around[known_as[0]] = tuple(after.split())
    return Country(name, names, neighbours, around_names, around)


def _lines(table: str) -> list[tuple[str, str]]:
    """Returns what stands before and after the colon of each line."""
    parts = [line.partition(":") for line in table.strip().splitlines()]
    return [(before.strip(), after.strip()) for before, _, after in parts]


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(","))
