"""Numbers of parameters, layers, shapes, runs and examples in reports."""

from __future__ import annotations

import time

import pytest
from fakes.stated import claims_of, said, written

from reportgen.claims import counts
from reportgen.claims._collect import collect
from reportgen.records.claim import CONFIDENT, LIKELY


def counted(text, name="report.md"):
    """(thing, number) of the claims of counts, in reading order."""
    return [(c.content.what, float(c.printed.value)) for c in found(text, name) if c.printed]


def found(text, name="report.md"):
    return counts.find(written(text, name))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("With torch we print 22,829,056 for the encoder. The parameters differ.", 22_829_056),
        ("We count the weights by hand. The code finds 22 829 056, which is close.", 22_829_056),
        ("It has 1,572,864 trainable parameters over 560,787,456, so few.", 560_787_456),
    ],
)
def test_a_number_that_a_passage_on_parameters_tells_is_hardly_sure(text, told):
    [claim] = [c for c in found(text) if c.printed.value == told]
    assert claim.content.what == "parameters"
    assert claim.confidence < LIKELY


@pytest.mark.parametrize(
    "text",
    [
        "So we are not far: the difference is of 22,528 parameters.",
        "That is 22,528 parameters more than the count by hand.",
        "Il y a un écart de 22 528 paramètres.",
    ],
)
def test_what_lies_between_two_counts_is_no_count(text):
    [claim] = [c for c in found(text) if c.kind == "param_count"]
    assert claim.confidence < LIKELY


@pytest.mark.parametrize(
    "text",
    [
        "Its parameters were tuned on 25,000 reviews.",
        "The vocabulary is 32,000, and it is large.",
        "The weights are loaded from step 12,500, and it takes long.",
    ],
)
def test_other_numbers_of_such_a_passage_are_left(text):
    assert [c for c in found(text) if c.kind == "param_count"] == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Which yields 22807552 parameters.", 22_807_552),
        ("The model has 22.8M parameters.", 22_800_000),
        ("The number of parameters is 1,572, 864.", 1_572_864),
        ("Le modèle a 22 807 552 paramètres entraînables.", 22_807_552),
        ("a total of 125 million trainable parameters", 125_000_000),
        ("Nb of parameters = 4 × (512 × 512) + 32 = 1,048,608", 1_048_608),
        ("$n_{params} = 4 * 512 * 512 = 1048576$", 1_048_576),
        ("# Total Parameters = 16384000 + 132096    (1)\n= 16516096    (2)", 16_516_096),
        ("$$24d^2 + 42d = 22829056$$. (5) trainable parameters, as printed", 22_829_056),
    ],
)
def test_a_number_of_parameters_is_read_wherever_it_is_named(text, number):
    name = "report.txt" if text.startswith("#") else "report.md"
    counts = [(what.replace("trainable ", ""), n) for what, n in counted(text, name)]
    assert ("parameters", number) in counts


@pytest.mark.parametrize(
    "text",
    [
        "a vocabulary of 32000 tokens and 1,800 sentences",
        "The parameters of the model are tuned for 1125 steps.",
        "We have vocab = 32000, and the number of parameters follows.",
        "N = 32000, n_{params} = 3 * N",
        "the function has 2 parameters",
        "an accuracy of 79.9 % with fewer parameters",
    ],
)
def test_what_counts_no_parameters_is_left(text):
    assert not any("parameters" in what for what, _ in counted(text))


def test_what_peft_prints_is_three_counts():
    text = (
        "```\ntrainable params: 1,572,864 || all params: 560,787,456 || trainable%: 0.2805\n```\n"
    )
    assert counted(text) == [
        ("parameters", 1_572_864),
        ("parameters", 560_787_456),
        ("share of trainable parameters", 0.2805),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Only 0.28 % of the parameters are trainable.",
        "1.57M trainable parameters (0.28 %)",
        "We train 0.28% of the model.",
    ],
)
def test_a_share_of_trained_parameters_is_read(text):
    assert ("share of trainable parameters", 0.28) in counted(text)


def test_words_of_the_section_say_what_a_count_leaves_out():
    text = (
        "# Question 1\n\nWe omit the biases, the normalization layers and the language model head."
        "\n\nThis yields 22807552 parameters.\n\n# Question 2\n\nIt has 22829056 parameters."
    )
    first, second = found(text)
    assert first.content.scope == ("without biases", "without norms", "without head")
    assert second.content.scope == ()


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("The 4 layers have 6,291,456 weights without biases.", "without biases"),
        ("There are 524288 parameters per layer.", "per layer"),
        ("The LoRA adapter adds 1,572,864 trainable parameters.", "adapter"),
        ("It has 22,829,056 parameters including biases.", "with biases"),
        ("# Positional Encoding Parameters = 258 × 512 = 132096", "position"),
    ],
)
def test_words_beside_a_count_say_its_scope(text, scope):
    name = "report.txt" if text.startswith("#") else "report.md"
    claims = [c for c in found(text, name) if c.kind == "param_count"]
    assert [scope in claim.content.scope for claim in claims] == [True]


@pytest.mark.parametrize(
    ("text", "what", "number"),
    [
        ("three sets of weight matrices", "matrices", 3),
        ("a network with two linear layers.", "linear layers", 2),
        ("two linear transformations with a ReLU", "linear layers", 2),
        ("we have 4 stacks of transformers", "layers", 4),
        ("with 3 linear projection from d to d", "projections", 3),
        ("the 12 encoder layers", "layers", 12),
        ("a 12-layer Transformer", "layers", 12),
        ("With 8 attention heads, this becomes", "heads", 8),
        ("two convolutional layers", "other layers", 2),
        ("avec 6 couches et 8 têtes d'attention", "layers", 6),
        ("the accuracies of the six models", "models", 6),
        ("the 3 top curves", "models", 3),
        ("averaged over five random seeds", "seeds", 5),
        ("sur trois graines", "seeds", 3),
        ("the mean of the runs (n = 3)", "runs", 3),
        ("1,800 training sentences", "examples", 1800),
        ("2 000 exemples de test", "examples", 2000),
        ("we classify into four classes", "classes", 4),
    ],
)
def test_things_are_counted(text, what, number):
    assert (what, number) in counted(text)


@pytest.mark.parametrize(
    "text",
    [
        "At step 3 models are saved.",
        "for one layer we show it",
        "one model of them",
        "in 3 of them the layers differ",
        "Figure 3 shows the layers",
        "2.5 layers on average, 80 % layers",
    ],
)
def test_what_counts_nothing_is_left(text):
    assert [what for what, _ in counted(text) if what in {"layers", "models"}] == (
        ["models"] if "saved" in text else []
    )


def test_a_part_of_the_layers_is_not_all_of_them():
    (claim,) = found("We freeze the first 2 layers.")
    assert claim.confidence < LIKELY


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("The training set has 1,800 reviews.", "train"),
        ("2,000 sentences for test", "test"),
        ("200 validation examples", "validation"),
    ],
)
def test_examples_belong_to_a_split(text, split):
    (claim,) = found(text)
    assert claim.content.key == f"{split}_examples"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            "We have 1,800 reviews for the train, 200 for the validation and 2,000 for the test.",
            {1800: "train", 200: "validation", 2000: "test"},
        ),
        (
            "The validation set has 200 sentences, and 1,800 sentences are used for training.",
            {200: "validation", 1800: "train"},
        ),
        (
            "The validation set has 200 sentences and the model sees 1,800 sentences.",
            {200: "validation", 1800: ""},
        ),
        (
            "Nous avons 1 800 avis pour l'entraînement, 200 pour la validation.",
            {1800: "train", 200: "validation"},
        ),
    ],
)
def test_examples_of_several_splits_are_told_apart(text, keys):
    told = {int(claim.printed.value): claim.content.key for claim in found(text)}
    assert told == {number: split and f"{split}_examples" for number, split in keys.items()}


@pytest.mark.parametrize(
    ("text", "name", "sides"),
    [
        (
            r"$W_1, W_2 \in \mathbb{R}^{d_{model} \times d_{ff}}$",
            "W_1, W_2",
            ("d_model", "d_ff"),
        ),
        (r"$W^O \in \mathbb{R}^{hd_v \times d_{model}}$", "W^O", ("hd_v", "d_model")),
        (r"$W_1 \in \mathbb{R}^{512\times 2048}$", "W_1", ("512", "2048")),
        ("The weight matrix W_q has size 512 × 64.", "W_q", ("512", "64")),
        ("weights of shape (512, 512)", "", ("512", "512")),
    ],
)
def test_shapes_are_read(text, name, sides):
    shapes = [(c.content.name, c.content.value) for c in found(text) if c.kind == "arch_shape"]
    assert [value for _, value in shapes] == [sides]
    assert name in shapes[0][0] or not name


def test_the_size_of_an_image_is_no_shape_of_a_weight():
    assert found("The images have a size of 32 × 32 pixels.") == ()


def test_a_part_that_is_said_to_have_no_parameters_is_a_claim():
    (claim,) = found('the "Add and norm" sublayer does not add any trainable parameters.')
    assert (claim.kind, claim.content.scope) == ("arch_claim", ("none", "norm"))


def test_a_square_of_the_width_for_one_head_is_a_claim():
    text = "there are 3 x (hidden size x hidden size) parameters for each attention head"
    (claim,) = [c for c in found(text) if c.kind == "arch_formula"]
    assert claim.hints["factor"] == "3"
    assert not [
        c
        for c in found("there are 3 x (hidden size x hidden size) parameters in each layer")
        if c.kind == "arch_formula"
    ]


def test_tables_of_counts_are_read_cell_by_cell():
    text = (
        "| Model | Params (M) | Accuracy |\n|---|---|---|\n"
        "| BERT-base | 110 | 80.1 |\n| Ours | 22.8 | 79.9 |\n"
    )
    claims = found(text)
    assert [(float(c.printed.value), c.hints.get("model")) for c in claims] == [
        (110e6, "BERT-base"),
        (22.8e6, None),
    ]
    parts = "| Part | Parameters |\n|---|---|\n| Embedding | 16,384,000 |\n| Total | 22,807,552 |"
    assert [c.content.scope for c in found(parts)] == [("embedding",), ("total",)]
    splits = "| Split | Examples |\n|---|---|\n| Train | 1800 |\n| Test | 2000 |\n"
    assert [c.content.key for c in found(splits)] == ["train_examples", "test_examples"]


def test_another_model_is_named_and_ours_is_ours():
    (other,) = found("GPT-3 has 175B parameters.")
    (own,) = found("Our BERT model has 22.8M parameters.")
    assert other.hints["model"] == "GPT-3"
    assert "model" not in own.hints
    assert own.confidence >= CONFIDENT


def test_a_result_is_a_calculation_s_and_a_count():
    text = "The number of parameters is\n\n$$4 \\times (512 \\times 512) = 1048576$$\n"
    claims, _ = collect(written(text))
    assert [c.kind for c in claims if c.printed and c.printed.text == "1048576"] == [
        "equation",
        "param_count",
    ]


def test_numbers_of_a_text_are_claimed_once():
    text = "The model has 4 layers, 8 attention heads and 22,807,552 parameters over 3 seeds."
    claims = claims_of(written(text))
    starts = [c.start for c in claims if c.printed]
    assert len(starts) == len(set(starts)) == 4
    assert [kind for kind, _, _ in said(text)] == [
        "arch_count",
        "arch_count",
        "param_count",
        "count",
    ]


@pytest.mark.parametrize(
    "unit",
    ["= 512 × 512 ", "no biases ", "1000 parameters ", "W_1, ", "3 x ", "without ", "layers "],
)
def test_long_and_hostile_text_takes_little_time(unit):
    manuscript = written(unit * (40_000 // len(unit)))
    started = time.process_time()
    counts.find(manuscript)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "# LoRA\n\nThe adapter is 0.2805% of the 560,787,456 parameters; the base has them.",
            [
                ("share of trainable parameters", "0.2805"),
                ("parameters", "560,787,456"),
            ],
        ),
        (
            "With these parameters the base model alone has 559,214,592.",
            [("parameters", "559,214,592")],
        ),
        ("# LoRA\n\nA share of 12% of the examples has 559,214,592 characters.", []),
        ("# Data\n\nThe model has 559,214,592 tokens of text to read.", []),
    ],
)
def test_shares_and_counts_whose_noun_was_said_before(text, found):
    claims = [c for c in counts.find(written(text)) if c.kind == "param_count"]
    assert [(c.content.what, c.printed.text) for c in claims] == found
