"""DeepSpeed's files: parameters that ZeRO-3 split are counted by the shapes stated beside them."""

from collections import OrderedDict

import pytest

from reportgen.read.weights import read_evidence

torch = pytest.importorskip("torch")
FILE = "zero_pp_rank_0_mp_rank_00_model_states.pt"
NOTE = "split over the ranks (ZeRO-3): shapes from param_shapes; the numbers lie in the optimizer's"


def model():
    """A model with a tied head, a frozen layer and buffers."""
    made = torch.nn.ModuleDict(
        {
            "embed": torch.nn.Embedding(11, 4),
            "layer": torch.nn.Linear(4, 6),
            "norm": torch.nn.BatchNorm1d(4),
            "lm_head": torch.nn.Linear(4, 11, bias=False),
        }
    )
    made["lm_head"].weight = made["embed"].weight
    made["layer"].bias.requires_grad_(requires_grad=False)
    return made.to(torch.bfloat16)


def states(made, stage=3, **changes):
    """Return what `DeepSpeedEngine._save_checkpoint` puts into a rank's file of the model."""
    buffers = [name for name, _ in made.named_buffers()]
    module = made.state_dict()
    if stage == 3:
        # What ZeRO-3 leaves of a parameter between two uses.
        module = OrderedDict(
            (k, v if k in buffers else torch.empty(0, dtype=v.dtype)) for k, v in module.items()
        )
    parameters = dict(made.named_parameters())
    split = OrderedDict((k, p.shape) for k, p in parameters.items() if p.requires_grad)
    frozen = OrderedDict((k, p.shape) for k, p in parameters.items() if not p.requires_grad)
    return {
        "module": module,
        "buffer_names": buffers,
        "optimizer": None,
        "param_shapes": [split],
        "frozen_param_shapes": frozen,
        "shared_params": {"lm_head.weight": "embed.weight"},
        "frozen_param_fragments": {k: torch.empty(3) for k in frozen},
        "lr_scheduler": None,
        "data_sampler": None,
        "sparse_tensor_module_names": set(),
        "skipped_steps": 0,
        "global_steps": 20,
        "dp_world_size": 2,
        "mp_world_size": 1,
        "ds_config": {"zero_optimization": {"stage": stage}},
        "ds_version": "0.18.2",
        **changes,
    }


def read(tmp_path, content):
    torch.save(content, tmp_path / FILE)
    return read_evidence(tmp_path / FILE, FILE)


@pytest.mark.parametrize("stage", [2, 3])
def test_the_whole_model_is_counted_whatever_was_split(stage, tmp_path):
    made = model()
    found = read(tmp_path, states(made, stage))
    assert {t.name: t.shape for t in found.tensors} == {
        name: tuple(tensor.shape) for name, tensor in made.state_dict().items()
    }
    assert {t.name: t.shares for t in found.tensors if t.shares} == {
        "lm_head.weight": "embed.weight"
    }
    buffers = dict(made.named_buffers())
    assert {t.name for t in found.tensors if not t.trainable} == set(buffers)
    # Torch's own count, a tied matrix once.
    parameters = sum(p.numel() for p in made.parameters())
    assert found.total == parameters + sum(b.numel() for b in buffers.values())
    assert {t.dtype for t in found.tensors if t.trainable} == {"bfloat16"}


def test_what_was_split_is_said(tmp_path):
    notes = [p for p in read(tmp_path, states(model())).problems if NOTE in p.message]
    assert [p.message.partition(" split")[0] for p in notes] == ["6 tensors are"]
    assert [p.level for p in notes] == ["note"]
    assert not any(NOTE in p.message for p in read(tmp_path, states(model(), 2)).problems)


def test_parameters_that_are_not_in_the_module_are_counted(tmp_path):
    content = states(model())
    content["module"] = OrderedDict()
    found = read(tmp_path, content)
    assert found.total == sum(p.numel() for p in model().parameters())
    assert {t.dtype for t in found.tensors} == {"float32"}


def test_a_split_parameter_without_a_shape_is_said_and_not_counted(tmp_path):
    content = states(model(), frozen_param_shapes=None)
    found = read(tmp_path, content)
    assert found.total == read(tmp_path, states(model(), 2)).total - 6
    (problem,) = [p for p in found.problems if p.level == "warning"]
    assert problem.message.startswith("layer.bias is split, its shape not stated")
