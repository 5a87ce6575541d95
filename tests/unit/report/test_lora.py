"""Adapters: what they train, the keys that matter, and the rest in the appendix."""

from dataclasses import replace

import pytest

from reportgen.parameters import describe_adapter, describe_model
from reportgen.read.weights import read_evidence
from reportgen.records import document as doc
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.facts import Facts
from reportgen.records.run import Runs
from reportgen.records.study import Study
from reportgen.report import SECTIONS
from reportgen.report.questions import topics


def facts(*adapters):
    return Facts(study=Study(), runs=Runs(root="", runs=()), groups=(), adapters=adapters)


def section(*adapters, name="lora"):
    return SECTIONS.load(name)(facts(*adapters))


def of_type(found, kind):
    return [block for block in doc.walk(found.blocks) if isinstance(block, kind)]


def plain(found):
    return " ".join(
        node
        for block in doc.walk(found.blocks)
        for text in doc.texts(block)
        for node in doc.inlines(text)
        if isinstance(node, str)
    )


def printed(*sections):
    return {n.id: n for n in doc.numbers(doc.Report(title="", sections=sections))}


def rows_of(found, name):
    (table,) = (block for block in of_type(found, doc.Table) if block.id == name)
    return {row.cells[0][0].text: row.cells for row in table.rows}


@pytest.fixture
def base(lab):
    config = read_evidence(lab / "lora" / "bloom-560m" / "config.json", "bloom-560m/config.json")
    return describe_model("BLOOM-560m", config)


@pytest.fixture
def config(lab):
    return read_evidence(lab / "lora" / "adapter_config.json", "lora/adapter_config.json")


@pytest.fixture
def described(config, base):
    def describe(name="the lab's adapter", **changes):
        values = {**config.values, **changes}
        return describe_adapter(name, replace(config, values=values), base)

    return describe


def test_no_key_is_dropped(described):
    adapter = described()
    appendix = section(adapter, name="adapters")
    listed = {
        *rows_of(section(adapter), "table.lora.keys"),
        *rows_of(appendix, "table.lora.other_keys"),
    }
    text = [node for block in of_type(appendix, doc.Paragraph) for node in block.text]
    noted = {node.text for node in text if isinstance(node, doc.Code)}
    assert listed | noted == set(adapter.config.values)
    assert not listed & noted


def test_memory_falls_from_full_to_qlora_and_its_parts_add_up(described):
    shown = printed(section(described(), name="adapters"))
    sizes = {}
    for method in ("full", "full_half", "lora_float", "lora", "qlora"):
        sizes[method] = shown[f"lora.memory.{method}"].quantity.value
        parts = [
            shown[f"lora.memory.{method}.{part}"].quantity.value
            for part in ("base", "adapter", "gradients", "optimizer")
        ]
        assert sum(parts) == sizes[method]
        assert (parts[1] == 0) == method.startswith("full")
    assert sizes["full"] == 16 * 559_214_592
    assert sizes["full"] > sizes["lora"] > sizes["qlora"] > 559_214_592 / 2


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
    adapter = describe_adapter("other", config, base)
    found = section(adapter)
    equations = [e for group in of_type(found, doc.EquationGroup) for e in group.equations]
    assert found.title == "Adapters"
    assert equations[-1].result == trained
    assert printed(found)["lora.trained"].quantity.value == trained
    appendix = section(adapter, name="adapters")
    assert appendix is None or not [n for n in printed(appendix) if ".memory." in n]


def test_several_kinds_of_module_are_added_up_and_listed(described):
    adapter = described(target_modules=["query_key_value", "dense"], rank_pattern={"dense": 8})
    ((equation,),) = (g.equations for g in of_type(section(adapter), doc.EquationGroup))
    parts = [1_572_864, 24 * 8 * 2048]
    assert equation.result == sum(parts)
    (table,) = (
        block
        for block in of_type(section(adapter, name="adapters"), doc.Table)
        if block.id == "table.lora.targets"
    )
    counts = [row.cells[3][0].quantity.value for row in table.rows]
    assert counts == [*parts, sum(parts)]


def test_remarks_are_listed_and_silence_is_kept(described):
    assert of_type(section(described(), name="adapters"), doc.Bullets) == []
    (bullets,) = of_type(section(described(bias=False, rank=8), name="adapters"), doc.Bullets)
    spoken = " ".join(item[0] for item in bullets.items)
    assert 'bias is false, which is none of "none"' in spoken
    assert "rank is no key" in spoken


def test_a_count_that_cannot_be_had_has_its_reason(config):
    found = section(describe_adapter("alone", config, None))
    assert "is not among the files" in plain(found)
    assert doc.Code("bigscience/bloom-560m") in of_type(found, doc.Paragraph)[-1].text
    assert of_type(found, doc.EquationGroup) == []


def test_a_kind_without_a_formula_is_named(config, base):
    other = replace(config, peft_type="XLORA", values={"peft_type": "XLORA"})
    found = section(describe_adapter("x", other, base))
    assert "is of the kind XLORA, for which no formula is known" in plain(found)
    assert of_type(found, doc.Table) == []


def test_an_adapter_is_told_once_however_often_it_lies_there(described):
    first, again = described(), described(name="again")
    again = replace(
        again, config=replace(again.config, source=replace(again.config.source, path="b/c.json"))
    )
    assert not of_type(section(first, again), doc.Section)
    found = section(first, again, name="adapters")
    assert "The same configuration lies in" in plain(found)
    assert doc.Code("b/c.json") in [n for b in of_type(found, doc.Paragraph) for n in b.text]


def test_many_adapters_have_a_row_each_with_the_keys_that_differ(described):
    found = section(*(described(name=f"r{r}", r=r) for r in (2, 4, 8, 16, 32)))
    (table,) = of_type(found, doc.Table)
    assert [plain_title(column) for column in table.columns] == ["Adapter", "r", "Trained", "Share"]
    trained = [row.cells[2][0].quantity.value for row in table.rows]
    assert trained == [24 * r * 4096 for r in (2, 4, 8, 16, 32)]


def plain_title(column):
    return "".join(node if isinstance(node, str) else node.text for node in column.title)


def test_answers_name_count_share_and_keys(described):
    found = topics(facts(described()))
    assert {topic.section for topic in found.values()} == {"lora"}
    values = [n.quantity.value for n in found["lora.count"].text if isinstance(n, doc.Number)]
    assert values[:2] == [1_572_864, 560_787_456]
    keys = [node.text for node in found["lora.keys"].text if isinstance(node, doc.Code)]
    assert keys[:3] == ["r = 16", "lora_alpha = 32", "target_modules = query_key_value"]
    ids = [n.id for t in found.values() for n in doc.inlines(t.text) if isinstance(n, doc.Number)]
    assert len(set(ids)) == len(ids)
