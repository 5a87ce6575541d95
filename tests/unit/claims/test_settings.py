"""Named values of reports, in two languages and many spellings, and what is none."""

from __future__ import annotations

import time

import pytest
from fakes.stated import claims_of, said, settings_of, written
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims import settings
from reportgen.records.claim import CONFIDENT, LIKELY
from reportgen.records.manuscript import Block, Line, Manuscript


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Assignments: plain, LaTeX, code, flags, YAML, JSON.
        ("- hidden size = 512", [("hidden_size", 512)]),
        ("We have $d_{model}=512$ here.", [("hidden_size", 512)]),
        ("- Nb of attention head = 1", [("num_attention_heads", 1)]),
        ("- Total nb of layers = 4", [("num_hidden_layers", 4)]),
        (r"$max_{sentence\_size} = 258$", [("max_length", 258)]),
        ("with $n_{hid} = n_{hid2} = n_{hid3} = 512$", [("hidden_size", 512)]),
        ("`encoder_ffn_embed_dim = 2048`", [("intermediate_size", 2048)]),
        ("vocabulary size: 32,000", [("vocab_size", 32000)]),
        ("- dimension of the FFN : 512", [("intermediate_size", 512)]),
        ("- maximum of positions : 256", [("max_position_embeddings", 256)]),
        ("This gives 225 updates by epoch.", [("steps_per_epoch", 225)]),
        ("- the pretrained model, last epoch: 79.5", []),
        ("the term $2 d d_{ff}$ the two linear layers", []),
        ("run with --lr 1e-05 --max-epoch 5", [("learning_rate", 1e-5), ("num_train_epochs", 5)]),
        ("```yaml\nbatch_size: 8\nseed: 42\n```", [("batch_size", 8), ("seed", 42)]),
        ('```json\n{"learning_rate": 2e-5}\n```', [("learning_rate", 2e-5)]),
        # Sentences.
        ("a learning rate of 1e-5", [("learning_rate", 1e-5)]),
        ("the peak learning rate is set to $10^{-5}$", [("learning_rate", 1e-5)]),
        ("a learning rate of $3 \\times 10^{-5}$", [("learning_rate", 3e-5)]),
        ("we train for 5 epochs in batches of 8", [("num_train_epochs", 5), ("batch_size", 8)]),
        ("a batch size of 8 and 5 epochs", [("batch_size", 8), ("num_train_epochs", 5)]),
        ("a vocabulary of size $n_{tokens}=32000$", [("vocab_size", 32000)]),
        ("a vocabulary of 32k tokens", [("vocab_size", 32000)]),
        ("warm-up over 6 % of the steps", [("warmup_ratio", 0.06)]),
        ("with 500 warm-up steps", [("warmup_steps", 500)]),
        ("a warm-up of 500 steps", [("warmup_steps", 500)]),
        ("8-headed attention", [("num_attention_heads", 8)]),
        ("the number of transformer encoder layers is 6", [("num_hidden_layers", 6)]),
        ("hidden dimension (d_model) = 256", [("hidden_size", 256)]),
        ("a dropout of 10 %", [("dropout", 0.1)]),
        ("We use the AdamW optimizer.", [("optimizer", "adamw")]),
        ("with linear decay of the learning rate", [("lr_scheduler_type", "linear")]),
        ("we make 225 updates per epoch", [("steps_per_epoch", 225)]),
        ("An epoch is 180 updates.", [("steps_per_epoch", 180)]),
        ("Une époque correspond à 400 pas.", [("steps_per_epoch", 400)]),
        (
            "Training takes 5 epochs of 1100 updates each.",
            [("num_train_epochs", 5), ("steps_per_epoch", 1100)],
        ),
        (
            "We train for six epochs (390 iterations per epoch).",
            [("num_train_epochs", 6), ("steps_per_epoch", 390)],
        ),
        # French.
        ("un taux d'apprentissage de 1e-5", [("learning_rate", 1e-5)]),
        ("une taille de batch de 8 et 5 époques", [("batch_size", 8), ("num_train_epochs", 5)]),
        ("une dimension cachée de 512", [("hidden_size", 512)]),
        ("Le nombre de couches est 4.", [("num_hidden_layers", 4)]),
        ("un vocabulaire de taille 32 000", [("vocab_size", 32000)]),
        # Letters that the report explains.
        ("where N is the number of unit layers. We have N=4.", [("num_hidden_layers", 4)]),
        ("We employ h parallel heads. With h=8 it is", [("num_attention_heads", 8)]),
        ("We have N=4 Transformer Encoder Layers", [("num_hidden_layers", 4)]),
    ],
)
def test_a_value_is_bound_by_its_name(text, found):
    assert [(k, pytest.approx(v) if not isinstance(v, str) else v) for k, v in found] == (
        settings_of(text)
    )


@pytest.mark.parametrize(
    "text",
    [
        # Parts of calculations.
        "# Embedding Parameters = Vocabulary Size × Embed Dimension = 32000 × 512",
        "head_dim is d_embed / h = 512/8",
        "num_samples * MAX_EPOCH / MAX_SENTENCES = 1125",
        # Labels, moments and sections.
        "At epoch 3 seed 1 is best.",
        "layers 0-3 of seed 2, see Section 4",
        "the accuracy rises at epochs 2 and 3",
        # Impossible values.
        "a hidden size of 51.2 %",
        "a dropout of 7",
        # Outside of adapters these are other things.
        "The correlation is r = 16 and the bias is 0.3, alpha = 0.05.",
        # What a program prints while it trains.
        "```\n{'loss': 0.61, 'learning_rate': 9.3e-06, 'epoch': 1.0}\n```",
        "```\nepoch 001: lr 4.5e-06 | loss 0.9 | wps 100\n```",
        # A function, not an assignment.
        "it falls as lr(1 - t)",
        # The name of a file.
        "Best model: lstm-epoch=31-val_f1=0.92.ckpt",
    ],
)
def test_what_is_no_setting_is_left(text):
    assert settings_of(text) == []


LORA = "## LoRA\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- **r=16** is the rank", [("r", 16)]),
        (r"- lora\_alpha=32 is the scale", [("lora_alpha", 32)]),
        (
            r'- target\_modules=["query\_key\_value"] are layers',
            [("target_modules", ("query_key_value",))],
        ),
        ("- bias = False: no bias", [("bias", False)]),
        ('- bias="none" tells which biases should be trained', [("bias", "none")]),
        ("- $task\\_type = CAUSAL\\_LM$: a language model", [("task_type", "CAUSAL_LM")]),
        ("- task_type: It is set on Causal_ML here.", [("task_type", "Causal_ML")]),
        ("- **bias**: 'none', 'all' or 'lora_only'.", [("bias", ("none", "all", "lora_only"))]),
        ("- r: the rank. In our configuration, we use a rank of 16.", [("r", 16)]),
        ("- lora alpha: scales. In our case, we set it to 32.", [("lora_alpha", 32)]),
        (
            "- lora dropout: We set this to 0.05, introducing a 5% dropout.",
            [("lora_dropout", 0.05), ("lora_dropout", 0.05)],
        ),
        ("- task type: we use ”CAUSAL LM” here", [("task_type", "CAUSAL LM")]),
        ("- bias: none", [("bias", "none")]),
        ("```\nLoraConfig(task_type=TaskType.CAUSAL_LM)\n```", [("task_type", "CAUSAL_LM")]),
        (
            "The target modules are q_proj, k_proj and v_proj.",
            [("target_modules", ("q_proj", "k_proj", "v_proj"))],
        ),
        ("rank 8, alpha 16", [("r", 8), ("lora_alpha", 16)]),
    ],
)
def test_the_keys_of_an_adapter_are_bound_where_one_is_spoken_of(text, found):
    assert settings_of(LORA + text) == found


def test_a_printed_configuration_is_read_key_by_key():
    text = (
        "```python\nconfig = LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05,\n"
        '    target_modules=["query_key_value"], bias="none", module_to_save=["x"])\n```'
    )
    assert settings_of(text) == [
        ("r", 16),
        ("lora_alpha", 32),
        ("lora_dropout", 0.05),
        ("target_modules", ("query_key_value",)),
        ("bias", "none"),
        ("", '["x"]'),
    ]


def test_what_a_key_does_is_a_claim_of_its_own():
    found = said(LORA + "- task_type: captures cause and effect.\n- r: is the rank.")
    assert [key for kind, key, _ in found if kind == "lora_semantics"] == ["task_type", "r"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (r"scaled by $\frac{lora_alpha}{lora_rank}$", "alpha"),
        ("multiplied by α/r", "alpha"),
        ("the factor alpha divided by the rank", "alpha"),
        ("scaled by r/α", "inverse"),
        (r"scaled by $\alpha / \sqrt{r}$", "root"),
    ],
)
def test_the_formula_of_the_scaling_is_read_in_every_spelling(text, form):
    assert ("lora_formula", "scaling", form) in said(LORA + text)


def test_a_plus_sign_for_an_equality_is_read_as_a_slip():
    text = "where T is the maximum length of a sentence and T+256. The +2 is for padding."
    slips = [claim for claim in claims_of(written(text)) if "written" in claim.hints]
    assert [(c.hints["written"], c.printed.text) for c in slips] == [("T+256", "256")]
    assert not any("written" in c.hints for c in claims_of(written("we add T+256 rows")))


@pytest.mark.parametrize(
    "text",
    [
        "The original paper uses 12 layers and a hidden size of 768.",
        "A larger batch size of 32 would help.",
        "We tried learning rates of 1e-5, 3e-5 and 5e-5 with a learning rate of 1e-5, 3e-5.",
        "BERT was pre-trained with a learning rate of 1e-4 and a batch size of 256.",
        "With N = 12 it is slow.",
    ],
)
def test_another_s_values_are_not_held_against_a_report(text):
    found = [c for c in claims_of(written(text)) if c.kind == "hyperparameter"]
    assert all(claim.confidence < LIKELY for claim in found)


def test_our_own_values_are_sure_although_others_stand_beside_them():
    text = "The paper uses a batch size of 256, but we use a batch size of 8."
    sure = {float(c.content.value): c.confidence >= CONFIDENT for c in claims_of(written(text))}
    assert sure == {256: False, 8: True}


TABLE = """
| Hyperparameter | Value |
|---|---|
| Learning rate | 1e-5 |
| Batch size | 8 |
| Epochs | 5 |
| Warm-up | 6 % |
| Optimizer | Adam |
"""


def test_a_table_of_names_and_values_is_read_row_by_row():
    claims = claims_of(written(TABLE))
    assert [(c.content.key, str(c.content.value)) for c in claims] == [
        ("learning_rate", "0.00001"),
        ("batch_size", "8"),
        ("num_train_epochs", "5"),
        ("warmup_ratio", "0.06"),
        ("optimizer", "Adam"),
    ]
    assert all(c.confidence >= CONFIDENT and c.table is not None for c in claims)


def test_a_table_of_models_belongs_to_each_of_them():
    text = (
        "| Model | Layers | Hidden size |\n|---|---|---|\n"
        "| BERT-base | 12 | 768 |\n| Ours | 4 | 512 |\n"
    )
    found = {(c.content.key, float(c.content.value)): c for c in claims_of(written(text))}
    assert found["num_hidden_layers", 12].hints["model"] == "BERT-base"
    assert "model" not in found["num_hidden_layers", 4].hints


def test_the_rows_of_a_log_are_no_settings():
    text = "| Epoch | Step | Loss |\n|---|---|---|\n| 1 | 225 | 0.6 |\n| 2 | 450 | 0.5 |\n"
    assert settings_of(text) == []


def test_places_point_at_the_printed_number():
    text = "First line.\n\nWe use $lora\\_alpha = 32$ with LoRA."
    manuscript = written(text)
    (claim,) = [c for c in claims_of(manuscript) if c.kind == "lora_config"]
    block = manuscript.blocks[claim.block]
    assert block.text[claim.start : claim.end] == "32"
    assert (claim.place.line, claim.place.column) == (3, text.splitlines()[2].index("32") + 1)


WORDS = st.sampled_from(
    [
        *("the", "hidden", "size", "=", "512", "of", "learning", "rate", "(", ")", "{", "}", "$"),
        *("\\frac", "1e-5", "%", ",", ".", "LoRA", "r", ":", '"', "'", "[", "]", "layers", "h"),
        *("\\_", "^", "×", "number", "epochs", "8", "-", "bias", "none", "\n", "T", "+", "é"),
    ]
)


@given(st.lists(WORDS, min_size=2, max_size=60).filter(lambda words: "".join(words).strip()))
def test_any_words_are_read_and_point_into_their_text(words):
    manuscript = written(" ".join(words))
    for claim in settings.find(manuscript):
        text = manuscript.blocks[claim.block].text
        assert 0 <= claim.start <= claim.end <= len(text)
        if claim.printed is not None:
            assert any(char.isdigit() for char in text[claim.start : claim.end])


@pytest.mark.parametrize(
    "unit", ["hidden size = 512, ", "LoRA r: ", "( ", "h ", '" ', "number of ", "\\frac{", "1e-5 "]
)
def test_long_and_hostile_text_takes_little_time(unit):
    manuscript = written(unit * (40_000 // len(unit)))
    started = time.process_time()
    settings.find(manuscript)
    assert time.process_time() - started < 20  # a fifteenth of it here


@pytest.mark.parametrize(
    "text",
    [
        "Early stopping : patience de 10 époques",
        "The patience was set to 10 epochs.",
        "It stops when the loss did not improve for 10 epochs.",
        "The score stagnates for 10 epochs.",
        "After 10 epochs without improvement the training ends.",
    ],
)
def test_epochs_of_waiting_are_no_length_of_a_training(text):
    epochs = [c for c in claims_of(written(text)) if c.content.key == "num_train_epochs"]
    assert all(claim.confidence < LIKELY for claim in epochs)


@pytest.mark.parametrize(
    "text", ["When $d_{model} = 1$ it is trivial.", "If dropout = 0.5, it fails."]
)
def test_a_case_that_is_looked_at_is_no_setting(text):
    assert all(claim.confidence < LIKELY for claim in claims_of(written(text)))


def test_the_number_of_a_formula_is_no_value_of_its_letter():
    first = Line(text="where N is the number of layers", number=1)
    formula = Line(text="M_full = 16N                         (7)", number=2)
    blocks = (Block(type="paragraph", lines=(first,)), Block(type="equation", lines=(formula,)))
    report = Manuscript(path="r.pdf", format="pdf", sha256="", blocks=blocks)
    assert settings.find(report) == ()
