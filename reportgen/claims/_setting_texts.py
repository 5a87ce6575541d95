"""Settings whose values are words: target modules, bias, task type, optimizer, schedule."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._cues import DOUBTFUL, is_elsewhere
from reportgen.claims._passages import Passage
from reportgen.claims._setting_keys import ADAPTER, TEXT, SettingKey, condensed
from reportgen.claims._setting_words import BY_NAME, Named, may_end_text, name_before
from reportgen.parameters.adapters import LORA_KEYS
from reportgen.records.claim import Claim, Setting

Value = str | bool | tuple[str, ...]
_VALUE = re.compile(
    r"\[(?P<list>[^\[\]]{0,300})\]|\"(?P<double>[^\"]{1,80})\"|'(?P<single>[^']{1,80})'"
    r"|(?P<bare>[A-Za-z][\w.-]{0,60}\w|[A-Za-z])"
)
_LINK = re.compile(
    r"['\"]?\s{0,3}(?:(?P<sign>==?|:=|:|→|←)|(?:(?:is|are|was|were|been|set|to|as|on|equal|fixed|only"
    r"|est|sont|à|chosen|the|of)\s{1,3}){1,5})\s{0,3}"
)
_NAMES = re.compile(r"[A-Za-z]\w{0,30}(?:_\w{1,30}){1,4}|[A-Z]{2,}(?:[ _][A-Z]{2,}){1,3}")
_QUOTED = gated(r"\"([^\"]{1,60})\"|(?<!\w)'([^'\s]{1,60}|[^']{1,60})'(?!\w)")
_OPTIONS = gated(
    r"\b(?:can be|could be|may be|options?|either|possible|among|choices?|include[sd]?|values are"
    r"|one of|peut être|peut prendre|parmi|valeurs possibles|soit)\b",
    re.IGNORECASE,
)
_MEMBER = re.compile(r"^(?:[A-Za-z_]\w{0,60}\.){1,4}(?=[A-Z][A-Z0-9_]{2,}$)")
_CALL = gated(r"\b(?:Lora|AdaLora|IA3|Vera|LoKr|LoHa)Config\s{0,2}\(")
_KEYWORD = re.compile(r"(?<![\w.])([A-Za-z]\w{0,40})\s{0,2}=(?!=)")
_SWITCHES = {"true": True, "false": False, "vrai": True, "faux": False}
_WHERE_APPLIED = gated(
    r"\b(?:we|our|only|here|nous|notre|ici|on)\b[^.]{0,80}\b(?:attention|linear|linéaires?|mlp"
    r"|feed-?\s?forward)\b",
    re.IGNORECASE,
)
_OPTIMIZERS = gated(
    r"\b(AdamW|Adam|SGD|Adafactor|RMSprop|Adagrad|Adadelta|NAdam|RAdam|LAMB|Lion)\b"
)
_OPTIMIZING = gated(r"\boptimi[sz]\w{0,6}|\boptim\b|\btrain\w*\s(?:it\s)?with\b", re.IGNORECASE)
_SCHEDULES = gated(
    r"\b(linear(?:ly)?|cosine|constant|polynomial|linéaire|cosinus)\b[^.;,]{0,30}?"
    r"\b(?:decay\w*|schedul\w+|anneal\w+|décroissance)",
    re.IGNORECASE,
)
_VOCABULARIES = {
    "optimizer": gated(_OPTIMIZERS.pattern, re.IGNORECASE),
    "lr_scheduler_type": re.compile(r"linear|cosine|constant|polynomial|inverse|plateau|step|exp"),
    "hidden_act": re.compile(r"[a-z]*elu|silu|swish|tanh|sigmoid|mish", re.IGNORECASE),
}
"""Values of settings whose names are words of other things too."""
_NEAR = 0.8
_MORE = re.compile(r"\s?(?:,\s?(?:and|et)?|and|et|&)\s{1,2}([A-Za-z]\w{0,30}_\w{1,30})")
_ALSO = re.compile(
    r"\s?(?:,\s?(?:and|or|et|ou)?|and|or|et|ou|/|\|)\s{0,2}(?:\"([^\"]{1,60})\"|'([^']{1,60})')"
)
_MOST_NAMES = 20


def texts_of_settings(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every setting of a passage whose value is a word, a list or a switch."""
    found: dict[int, Claim] = {}
    for claim in (*_after_names(passage), *_in_call(passage)):
        found.setdefault(claim.start, claim)
    if not found:
        found = {claim.start: claim for claim in _in_item(passage)}
    yield from found.values()
    for claim in _programs(passage):
        if not any(other.start <= claim.start < other.end for other in found.values()):
            yield claim


def _after_names(passage: Passage) -> Iterator[Claim]:
    """Yield what stands behind the name of a setting of words."""
    text, words = passage.plain.text, passage.words
    for last, word in enumerate(words):
        if not may_end_text(word):
            continue
        named = name_before(words, last, adapter=passage.adapter)
        if named is None or named.key.kind != TEXT:
            continue
        link = _LINK.match(text, word.end)
        match = _VALUE.match(text, link.end()) if link else None
        if not link or not match:
            continue
        value = _read(match, named.key)
        if value is None or not _meant(passage, named, match, value, link["sign"] or ""):
            continue
        start, end = words[named.first].start, match.end()
        if named.key.name == "target_modules" and match["bare"]:
            value, end = _listed(text, str(value), end)
        options = ""
        if match["double"] or match["single"]:
            value, end, options = _alternatives(text, named.key, str(value), end)
        name = text[start : word.end]
        yield _claim(passage, named.key, value, (start, end), name=name, options=options)


def _alternatives(text: str, key: SettingKey, first: str, end: int) -> tuple[Value, int, str]:
    """Read on behind the first of `'none', 'all' or 'lora_only'`, which are what a key may be."""
    names = [first]
    while len(names) < _MOST_NAMES and (more := _ALSO.match(text, end)):
        names.append(more[1] or more[2])
        end = more.end()
    if len(names) == 1:
        return first, end, ""
    return tuple(names), end, "" if key.name == "target_modules" else "legal values"


def _listed(text: str, first: str, end: int) -> tuple[tuple[str, ...], int]:
    """Read on behind the first of `q_proj, k_proj and v_proj`."""
    names = [first]
    while len(names) < _MOST_NAMES and (more := _MORE.match(text, end)):
        names.append(more[1])
        end = more.end()
    return tuple(names), end


def _read(match: re.Match[str], key: SettingKey) -> Value | None:
    """Return a value as it is written."""
    if match["list"] is not None:
        names = re.findall(r"[\w.*-]+(?:\s[\w.*-]+){0,3}", match["list"])
        return tuple(names) or None
    quoted = match["double"] or match["single"]
    if quoted:
        return quoted.strip()
    folded = match["bare"].casefold()
    if folded in _SWITCHES and key.scope == ADAPTER:
        return _SWITCHES[folded]
    # A member of an enumeration is its own name: `TaskType.CAUSAL_LM`.
    return _MEMBER.sub("", str(match["bare"]))


def _meant(passage: Passage, named: Named, match: re.Match[str], value: Value, sign: str) -> bool:
    """Say whether what stands behind a name is its value and no explanation of it."""
    if named.key.name not in _VOCABULARIES and (
        not match["bare"] or sign in {"=", "==", ":="} or isinstance(value, bool)
    ):
        return bool(sign) or not isinstance(value, bool)
    known = _VOCABULARIES.get(named.key.name)
    if known is not None:
        return bool(known.search(str(value)))
    if passage.block.type == "code" and sign:
        return True
    choices = LORA_KEYS[named.key.name].choices if named.key.name in LORA_KEYS else ()
    legal = {condensed(choice) for choice in choices}
    spelled = re.fullmatch(r"[A-Za-z]+(?:_[A-Za-z]+)+", str(value))
    return condensed(str(value)) in legal or bool(spelled)


def _in_call(passage: Passage) -> Iterator[Claim]:
    """Yield the keys of a printed `LoraConfig(...)` that no setting here is called."""
    text = passage.plain.text
    call = _CALL.search(text)
    if call is None:
        return
    for match in _KEYWORD.finditer(text, call.end()):
        name = match[1]
        if name in LORA_KEYS:
            continue
        value = _VALUE.match(text, match.end() + (text[match.end() : match.end() + 1] == " "))
        end = value.end() if value else match.end()
        yield claim_at(
            passage,
            match.start(),
            end,
            kind="lora_config",
            content=Setting(
                name=name, key="", value=text[match.end() : end].strip(), scope=ADAPTER
            ),
            confidence=0.9,
            hints={"where": "LoraConfig", "written": "key"},
        )


def _in_item(passage: Passage) -> Iterator[Claim]:
    """Yield the values that an item names which explains a key: `Here it is set on CAUSAL_LM`."""
    head = passage.head
    if not passage.adapter or passage.block.type not in {"item", "paragraph"}:
        return
    if head is None:
        yield from _unknown_head(passage)
        return
    if head.key.scope != ADAPTER or head.key.kind != TEXT:
        return
    position = passage.body
    while position < len(passage.plain.text):
        _, end = passage.sentence(position)
        yield from _in_sentence(passage, head.key, position, end)
        position = max(end, position + 1)


def _unknown_head(passage: Passage) -> Iterator[Claim]:
    """Yield the head of an item that is nearly a key, and none: `module_to_save: ...`."""
    name = passage.head_text.strip()
    spelled = name.replace(" ", "_")
    if "_" not in spelled or spelled in LORA_KEYS:
        return
    if difflib.get_close_matches(spelled, LORA_KEYS, n=1, cutoff=_NEAR):
        start = passage.plain.text.find(name)
        yield claim_at(
            passage,
            start,
            start + len(name),
            kind="lora_config",
            content=Setting(name=spelled, key="", value="", scope=ADAPTER),
            confidence=0.85,
            hints={"where": "key", "written": "key"},
        )


def _in_sentence(passage: Passage, key: SettingKey, start: int, end: int) -> Iterator[Claim]:
    text = passage.plain.text
    found = [(m.start(), m.end(), m[1] or m[2]) for m in _QUOTED.finditer(text, start, end)]
    quoted = [(a, b) for a, b, _ in found]
    found += [
        (*match.span(), match[0])
        for match in _NAMES.finditer(text, start, end)
        if match[0] not in LORA_KEYS and not any(a <= match.start() < b for a, b in quoted)
    ]
    values = [(a, b, v.strip()) for a, b, v in sorted(found) if _possible(key, v)]
    if len(values) > 1 and (key.name != "target_modules" or _OPTIONS.search(text, start, end)):
        names = tuple(value for _, _, value in values)
        place = (values[0][0], values[-1][1])
        yield _claim(passage, key, names, place, options="legal values")
    elif values:
        names = tuple(value for _, _, value in values)
        value: Value = names if key.name == "target_modules" else names[0]
        yield _claim(passage, key, value, (values[0][0], values[-1][1]))
    elif key.name == "target_modules" and _WHERE_APPLIED.search(text, start, end):
        yield _claim(passage, key, text[start:end].strip(), (start, end), options="words")


def _possible(key: SettingKey, value: str) -> bool:
    """Say whether a quoted word may be meant as a value of a key."""
    choices = LORA_KEYS[key.name].choices if key.name in LORA_KEYS else ()
    if not choices:
        return len(value.split()) <= 4
    near = difflib.get_close_matches(
        condensed(value), [condensed(choice) for choice in choices], n=1, cutoff=0.6
    )
    return bool(near) or "_" in value


def _programs(passage: Passage) -> Iterator[Claim]:
    """Yield the optimizers and schedules that sentences name."""
    text = passage.plain.text
    for pattern, key in ((_OPTIMIZERS, "optimizer"), (_SCHEDULES, "lr_scheduler_type")):
        for match in pattern.finditer(text):
            start, end = passage.sentence(match.start())
            if key == "optimizer" and not _OPTIMIZING.search(text, start, end):
                continue
            yield _claim(passage, BY_NAME[key], match[1].casefold(), match.span(), name=key)
            break


def _claim(
    passage: Passage,
    key: SettingKey,
    value: Value,
    place: tuple[int, int],
    *,
    name: str = "",
    options: str = "",
) -> Claim:
    """Return the claim of a value; the head of the item is its name where none is given.

    Args:
        passage: Where it stands.
        key: The setting.
        value: What it is said to be.
        place: Where it stands in the plain text.
        name: The words for the setting.
        options: What kind of statement it is where it is not one value.
    """
    name = name or passage.head_text or key.name
    hints = {"where": name, "options": options} if options else {"where": name}
    return claim_at(
        passage,
        *place,
        kind="lora_config" if key.scope == ADAPTER else "hyperparameter",
        content=Setting(name=name, key=key.name, value=value, scope=key.scope),
        confidence=DOUBTFUL if is_elsewhere(passage, place[0]) else 0.9,
        hints=hints,
    )
