import time

import pytest
import yaml
from fakes.rows import rows_beside

from reportgen.read.logs.settings import load_hparams_yaml

ROWS = rows_beside(__file__)


def load(tmp_path, text):
    path = tmp_path / "hparams.yaml"
    path.write_text(text)
    (log,) = load_hparams_yaml(path, "version_0/hparams.yaml")
    return log


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


def test_what_is_merged_many_times_is_there_once(tmp_path):
    lines = [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 40)]
    log = load(tmp_path, "\n".join(["a0: &a0 {x: 1}", *lines]) + "\n")
    assert log.config == {f"a{n}.x": 1 for n in range(40)}


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


SETTINGS = ROWS["settings"]


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


@pytest.mark.parametrize(
    "value", ["9" * 50_000, f"{'9' * 50_000}x", f"1.{'0' * 50_000}x", "1e" * 25_000]
)
def test_a_long_value_takes_a_time_that_grows_with_its_length(tmp_path, value):
    began = time.process_time()
    log = load(tmp_path, f"a: {value}\n")
    assert time.process_time() - began < 2
    assert set(log.config) == {"a"}
