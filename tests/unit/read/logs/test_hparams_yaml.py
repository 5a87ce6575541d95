import time

import pytest
import yaml

from reportgen.read.logs.settings import load_hparams_yaml, load_settings


def load(tmp_path, text):
    path = tmp_path / "hparams.yaml"
    path.write_text(text)
    (log,) = load_hparams_yaml(path, "version_0/hparams.yaml")
    return log


def test_flat_scalars(tmp_path):
    log = load(
        tmp_path, "seed: 3\nlr: 1e-05\nname: 'a: b'\nfp16: true\nnone: null\n# c\nopt: adam # x\n"
    )
    assert log.config == {
        "seed": 3, "lr": 1e-05, "name": "a: b", "fp16": True, "none": None, "opt": "adam",
    }  # fmt: skip
    assert log.problems == ()


def test_nested_values_have_keys_with_dots(tmp_path):
    log = load(
        tmp_path,
        "layers:\n- 1\n- 2\nmodel:\n  width: 3\n  head: {bias: true}\nbetas: [0.9, 0.99]\nseed: 1\n"
        "stages: [{width: 8}, {width: 16}]\n",
    )
    assert log.config == {
        "layers": [1, 2], "model.width": 3, "model.head.bias": True, "betas": [0.9, 0.99],
        "seed": 1, "stages.0.width": 8, "stages.1.width": 16,
    }  # fmt: skip
    assert log.problems == ()


def test_tags_of_python_objects_are_never_made(tmp_path):
    log = load(
        tmp_path,
        "a: !!python/object/apply:os.system ['true']\nb: !!python/tuple [1, 2]\nseed: 2\n"
        "act: !!python/name:torch.nn.ReLU ''\nc: {d: !!python/object:x.Y {z: 1}}\n",
    )
    assert log.config == {"b": [1, 2], "seed": 2, "act": "torch.nn.ReLU"}
    assert [p.message for p in log.problems] == [
        "'a' is an object of Python; not read",
        "'c.d' is an object of Python; not read",
    ]


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("? [a, b]\n: 1\nlr: 0.1\n", {"(a key that is no text)": 1, "lr": 0.1}),
        ("a: {1: x, true: y, null: z}\n", {"a.1": "x", "a.true": "y", "a.none": "z"}),
        ("a: !!set {x, y}\nb: !!omap [{x: 1}]\n", {"a.x": None, "a.y": None, "b.0.x": 1}),
        ("a: !!python/object/apply:collections.OrderedDict {x: 1}\n", {"a.x": 1}),
    ],
    ids=["a list as a key", "keys of other kinds", "sets and ordered mappings", "a tagged mapping"],
)
def test_any_key_is_a_text_and_any_collection_a_mapping_or_a_list(tmp_path, text, config):
    log = load(tmp_path, text)
    assert (log.config, log.problems) == (config, ())


def test_what_is_merged_many_times_is_there_once(tmp_path):
    lines = [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 40)]
    log = load(tmp_path, "\n".join(["a0: &a0 {x: 1}", *lines]) + "\n")
    assert log.config == {f"a{n}.x": 1 for n in range(40)}


def test_an_empty_mapping(tmp_path):
    assert load(tmp_path, "{}\n").config == {}
    assert load(tmp_path, "# nothing\n").problems == ()


def test_what_is_no_mapping_is_named(tmp_path):
    assert "holds no settings" in load(tmp_path, "- 1\n").problems[0].message
    assert load(tmp_path, "a: [1\nb: 2\n").problems[0].message.startswith("not valid YAML: line 2")


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 {x: 1}\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40)),
        "a0: &a0 {}\n"
        + "".join(f"a{n}: &a{n} {{b: {{c: *a{n - 1}}}, b.c: *a{n - 1}}}\n" for n in range(1, 40)),
        "a: &a {"
        + "".join(f"k{n}: 1, " for n in range(20_000))
        + "}\nb: {<<: ["
        + "*a, " * 20_000
        + "]}\n",
        "a: &a {<<: *a}\n",
        "a: &a [*a, *a]\n",
        "[" * 100_000,
        "{a: " * 100_000,
        "a: [" + "1, " * 200_000 + "]",
    ],
)
def test_a_bomb_does_not_go_off(tmp_path, text):
    log = load(tmp_path, text)
    assert len(log.config) <= 10_000
    assert log.problems


SETTINGS = [
    {
        "optimizer": {"lr": 1e-05, "betas": [0.9, 0.999], "fused": None},
        "seed": 3,
        "note": "a: 'b'\n",
    },
    {"data": {"path": "~", "n": 10**17, "flag": False, "no": "no", "octal": "010", "when": "1:30"}},
    {"shared": [1, 2], "inf": float("inf"), "é": "ü", "text": "3", "empty": ""},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_pyyaml_dumps_is_read_as_it_was(tmp_path, settings):
    """PyYAML's own writer, which Lightning and MLflow use, is the oracle."""
    flat = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{inner}": one for inner, one in value.items()}
        else:
            flat[key] = value
    for style in (True, False, None):
        dumped = yaml.safe_dump(settings, default_flow_style=style, allow_unicode=True)
        assert load(tmp_path, dumped).config == flat


def test_a_list_that_stands_twice_is_read_twice(tmp_path):
    shared = [1, 2]
    log = load(tmp_path, yaml.safe_dump({"a": shared, "b": shared}))
    assert log.config == {"a": [1, 2], "b": [1, 2]}
    merged = load(tmp_path, "base: &base {lr: 0.1}\nlarge:\n  <<: *base\n  seed: 3\n").config
    assert merged == {"base.lr": 0.1, "large.lr": 0.1, "large.seed": 3}


def test_a_value_that_may_be_half_of_one_is_told(tmp_path):
    whole = "epochs: 10\nseed: 123\n"
    assert load(tmp_path, whole).problems == ()
    assert load(tmp_path, "{epochs: 10}").problems == ()
    half = load(tmp_path, whole[:-3])
    assert half.config["seed"] == 1
    assert ["may be half of one" in p.message for p in half.problems] == [True]
    assert half.problems[0].level == "note"


@pytest.mark.parametrize(
    "value", ["9" * 50_000, f"{'9' * 50_000}x", f"1.{'0' * 50_000}x", "1e" * 25_000]
)
def test_a_long_value_takes_a_time_that_grows_with_its_length(tmp_path, value):
    began = time.process_time()
    log = load(tmp_path, f"a: {value}\n")
    assert time.process_time() - began < 2
    assert set(log.config) == {"a"}


OVERRIDES = [
    (
        "- lr=0.1\n- +model.depth=3\n- ~drop\n- ~drop.rate=0.5\n- name=run one\n",
        "lr=0.1 model.depth=3 name=run one",
    ),
    ("- 'odd=a: b: c'\n- seed=1\n", "odd=a: b: c seed=1"),
    ("- flag\n", ""),
    ("[]\n", ""),
]


@pytest.mark.parametrize(("content", "told"), OVERRIDES)
def test_overrides_of_hydra_are_settings(tmp_path, content, told):
    path = tmp_path / "overrides.yaml"
    path.write_text(content)
    log = next(iter(load_settings(path, ".hydra/overrides.yaml")), None)
    config = {} if log is None else log.config
    assert " ".join(f"{key}={value}" for key, value in config.items()) == told
    assert log is None or log.problems == ()
