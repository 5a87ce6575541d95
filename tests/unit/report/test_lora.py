"""The LoRA section: keys and effects, counts, shares, memory, remarks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.parameters import describe_adapter, describe_model
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.document import (
    Bullets,
    Cite,
    Code,
    EquationGroup,
    Number,
    Paragraph,
    Report,
    Section,
    Table,
    inlines,
    numbers,
    texts,
    walk,
)
from reportgen.records.facts import Facts
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs
from reportgen.records.study import Study
from reportgen.report import lora
from reportgen.report._bibliography import WORKS


def build(*adapters):
    facts = Facts(study=Study(), runs=Runs(root="", runs=()), groups=(), adapters=adapters)
    return lora.build(facts)


def of_type(section, kind):
    return [block for block in walk(section.blocks) if isinstance(block, kind)]


def plain(section):
    return " ".join(
        node
        for block in walk(section.blocks)
        for text in texts(block)
        for node in inlines(text)
        if isinstance(node, str)
    )


def printed(section):
    return {n.id: n for n in numbers(Report(title="", sections=(section,)))}


@pytest.fixture
def base(lab):
    config = read_evidence(lab / "lora" / "bloom-560m" / "config.json", "bloom-560m/config.json")
    return describe_model("BLOOM-560m", config)


@pytest.fixture
def config(lab):
    return read_evidence(lab / "lora" / "adapter_config.json", "lora/adapter_config.json")


@pytest.fixture
def described(config, base):
    def describe(**changes):
        values = {**config.values, **changes}
        return describe_adapter("the lab's adapter", replace(config, values=values), base)

    return describe


def test_no_adapter_no_section():
    assert build() is None


def test_the_lab_adapter_is_counted_and_shared_out(described):
    section = build(described())
    shown = printed(section)
    equations = {e.id: e for g in of_type(section, EquationGroup) for e in g.equations}

    assert equations["eq.lora.count.query_key_value"].result == 1_572_864
    assert equations["eq.lora.scaling.value"].result == 2
    assert shown["lora.whole"].quantity.value == 560_787_456
    assert shown["lora.base"].quantity.value == 559_214_592
    assert round(100 * shown["lora.share"].quantity.value, 4) == 0.2805
    assert round(100 * shown["lora.share_packed"].quantity.value, 4) == 0.3838
    assert shown["lora.share"].quantity.formula == "1572864 / 560787456"


def test_every_number_is_traced_and_every_id_is_its_own(described):
    section = build(described())
    found = list(numbers(Report(title="", sections=(section,))))

    assert len({number.id for number in found}) == len(found)
    for number in found:
        assert isinstance(number.quantity, Quantity)
        assert number.quantity.sources, number.id


def test_each_key_has_its_value_meaning_and_effect(described):
    found = next(b for b in of_type(build(described()), Table) if b.id == "table.lora.keys")
    rows = {row.cells[0][0].text: row.cells for row in found.rows}

    assert rows["r"][1][0].text == "16"
    assert rows["lora_dropout"][3][0].quantity.value == 0.05
    assert rows["target_modules"][3][0].quantity.value == 24
    assert rows["bias"][3] == ("no bias of the base model is trained",)
    assert "language-model head, which stays frozen" in rows["task_type"][3][0]
    assert all(cells[2] and cells[3] for cells in rows.values())


def test_no_key_is_dropped(described):
    adapter = described()
    found = next(b for b in of_type(build(adapter), Table) if b.id == "table.lora.keys")
    listed = {row.cells[0][0].text for row in found.rows}
    noted = {node.text for note in found.notes for node in note if hasattr(node, "text")}

    assert listed | noted == set(adapter.config.values)
    assert not listed & noted


def test_memory_falls_from_full_to_qlora(described):
    shown = printed(build(described()))
    full, small, packed = (
        shown[f"lora.memory.{m}"].quantity.value for m in ("full", "lora", "qlora")
    )

    assert full == 16 * 559_214_592
    assert full > small > packed > 559_214_592 / 2
    assert "Activations come on top" in plain(build(described()))


@pytest.mark.parametrize("method", ["full", "full_half", "lora_float", "lora", "qlora"])
def test_the_parts_of_the_memory_add_up(method, described):
    shown = printed(build(described()))
    parts = [
        shown[f"lora.memory.{method}.{part}"].quantity.value
        for part in ("base", "adapter", "gradients", "optimizer")
    ]

    assert sum(parts) == shown[f"lora.memory.{method}"].quantity.value
    assert (parts[1] == 0) == method.startswith("full")


@pytest.mark.parametrize(
    ("kind", "values", "trained"),
    [
        ("IA3", {}, 24 * (3072 + 4096)),
        ("VERA", {"r": 8, "target_modules": ["query_key_value"]}, 24 * (8 + 3072)),
        ("LN_TUNING", {}, (2 * 24 + 1) * 2 * 1024),
        ("PROMPT_TUNING", {"num_virtual_tokens": 7}, 7 * 1024),
        ("PREFIX_TUNING", {"num_virtual_tokens": 7}, 7 * 24 * 2 * 1024),
    ],
)
def test_another_kind_is_explained_and_counted(kind, values, trained, base):
    config = AdapterConfig(
        source=base.config.source, peft_type=kind, values={"peft_type": kind} | values
    )
    section = build(describe_adapter("other", config, base))
    equations = [e for group in of_type(section, EquationGroup) for e in group.equations]

    assert section.title == "Adapters"
    assert equations[-1].result == trained
    assert not [n for n in printed(section) if ".memory." in n]
    assert "configures other as follows" in plain(section)


def test_a_key_of_another_kind_has_the_effect_that_it_has_there(base, config):
    values = {"peft_type": "VERA", "r": 8, "target_modules": ["query_key_value"]}
    values |= {"bias": "vera_only", "vera_dropout": 0.1}
    vera = replace(config, peft_type="VERA", values=values)

    (table,) = of_type(build(describe_adapter("adapter", vera, base)), Table)
    effects = {"".join(map(str, row.cells[0])): row.cells[3] for row in table.rows}

    assert [effects[f"Code(text='{key}')"] for key in ("r", "bias", "vera_dropout")] == [
        ("decides the number of parameters: see the formula",),
        ("the biases of the adapted modules are trained",),
        ("no effect on the number of parameters",),
    ]


def test_several_kinds_of_module_are_added_up(described):
    section = build(
        described(target_modules=["query_key_value", "dense"], rank_pattern={"dense": 8})
    )
    (count, *_) = of_type(section, EquationGroup)

    assert [e.result for e in count.equations] == [
        1_572_864,
        24 * 8 * 2048,
        1_572_864 + 24 * 8 * 2048,
    ]


def test_rslora_divides_by_the_root(described):
    section = build(described(use_rslora=True))
    equations = {e.id: e for g in of_type(section, EquationGroup) for e in g.equations}

    assert equations["eq.lora.scaling.value"].result == 8


def test_remarks_are_listed_and_silence_is_kept(described):
    assert of_type(build(described()), Bullets) == []

    (bullets,) = of_type(build(described(bias=False, rank=8)), Bullets)
    spoken = " ".join(item[0] for item in bullets.items)

    assert 'bias is false, which is none of "none"' in spoken
    assert "rank is no key" in spoken


def test_a_count_that_cannot_be_had_has_its_reason(config):
    section = build(describe_adapter("alone", config, None))

    assert "not counted: no base model was given" in plain(section)
    assert of_type(section, EquationGroup) == []


def test_without_a_base_it_is_not_known_how_much_is_trained_whole(config):
    values = config.values | {"modules_to_save": ["classifier"]}
    section = build(describe_adapter("alone", replace(config, values=values), None))
    [table] = [t for t in of_type(section, Table) if t.id.endswith(".keys")]
    [row] = [r for r in table.rows if r.cells[0] == (Code("modules_to_save"),)]
    assert row.cells[3] == (
        "copied and trained whole; without the base model it is not known how many parameters",
    )
    assert not [name for name in printed(section) if name.endswith(".saved")]


def test_another_kind_is_named(config, base):
    other = replace(config, peft_type="XLORA", values={"peft_type": "XLORA"})

    assert "of the kind XLORA, for which no formula is known" in plain(
        build(describe_adapter("x", other, base))
    )


def test_several_adapters_get_a_part_each(described):
    section = build(described(), described(r=8))

    assert [block.id for block in section.blocks if isinstance(block, Section)] == [
        "lora.1",
        "lora.2",
    ]
    found = list(numbers(Report(title="", sections=(section,))))
    assert len({number.id for number in found}) == len(found)


def test_only_known_works_are_cited(described):
    cited = {
        node.key
        for block in of_type(build(described()), Paragraph)
        for node in inlines(block.text)
        if isinstance(node, Cite)
    }

    assert cited == {"lora", "qlora", "adam"}
    assert cited <= {work.key for work in WORKS}


@pytest.mark.parametrize("bad", [{"r": 0}, {"lora_alpha": "x"}, {"target_modules": ["nothing"]}])
def test_a_broken_configuration_is_still_described(bad, described):
    section = build(described(**bad))

    assert of_type(section, Table)
    assert of_type(section, Bullets)
    assert all(isinstance(n, Number) for n in printed(section).values())
