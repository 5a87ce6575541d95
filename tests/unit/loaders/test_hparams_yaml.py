from reportgen.loaders.hparams_yaml import load_hparams_yaml


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


def test_nested_values_are_not_guessed(tmp_path):
    log = load(tmp_path, "layers:\n- 1\n- 2\nmodel:\n  width: 3\nbetas: [0.9, 0.99]\nseed: 1\n")
    assert log.config == {"seed": 1}
    assert [p.message for p in log.problems] == [
        "'layers' holds nested values; not read",
        "'model' holds nested values; not read",
        "'betas' holds nested values; not read",
    ]


def test_tags_of_python_objects_are_never_made(tmp_path):
    log = load(tmp_path, "a: !!python/object/apply:os.system ['true']\n")
    assert log.config == {}


def test_an_empty_mapping(tmp_path):
    assert load(tmp_path, "{}\n").config == {}
