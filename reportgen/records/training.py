"""How a missing cell is made: what a study says of training."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.record import field, record

RANDOM = "random"
"""The start of a group whose weights are drawn, not loaded."""

MEASURED: Mapping[str, Mapping[str, str]] = {
    "classification": {
        "accuracy": "higher", "f1": "higher", "matthews_correlation": "higher", "loss": "lower",
    },
    "token_classification": {"accuracy": "higher", "f1": "higher", "loss": "lower"},
    "regression": {"pearson": "higher", "spearman": "higher", "mse": "lower", "loss": "lower"},
    "causal_lm": {"accuracy": "higher", "perplexity": "lower", "loss": "lower"},
}  # fmt: skip
"""Task to what an evaluation measures, each with the end that is better; the first is the usual."""


@record
class DataPlan:
    r"""The examples; paths are relative to the study file.

    Attributes:
        files: Split to file: CSV, TSV, JSON lines, or a file of texts, one a line.
        labels: Split to a file of labels, one a line, beside a file of texts.
        text: Column or key of the text (of the question, for `task = "causal_lm"`).
        pair: Column or key of a second text that is read with the first; empty for single texts.
        label: Column or key of the label (of the answer). For `task = "token_classification"`
            text and label are words and their labels, parted by blanks, or lists of JSON.
        prompt: Template of a training text with `{text}` and `{label}`; causal language
            modelling only, and the loss counts the tokens of the answer alone. Empty is
            `"### QUESTION\n{text}\n\n### ANSWER\n{label}"`; the tokenizer's end token follows.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    text: str = "text"
    pair: str = ""
    label: str = "label"
    prompt: str = ""


@record
class TrainPlan:
    """Hyperparameters and inputs of a fine-tune; they are the same for every cell.

    Attributes:
        task: A key of `MEASURED`: classes of texts (or of pairs of them), classes of words, a
            number for each text, or answers of a language model.
        data: The examples.
        tokenizer: Hugging Face folder, or a sentencepiece model; empty takes the one that lies
            in the folder of the start.
        dictionary: fairseq's `dict.txt`, beside a sentencepiece model.
        config: `config.json` of a group whose start is random.
        batch_size: Examples of one update.
        epochs: Passes over the training split.
        learning_rate: Peak.
        warmup: Share of all updates, 0 to 1, over which the rate rises from 0.
        schedule: `"linear"` falls to 0 at the last update, `"constant"` does not fall.
        weight_decay: Decoupled; biases and normalisations are spared.
        beta1, beta2, epsilon: Adam's.
        clip_norm: Largest norm of a run's gradient; 0 leaves it.
        dropout: Of embeddings, attention and hidden layers, and of the head. Training an adapter
            it is not looked at: there its own `lora_dropout` counts, and the base drops nothing.
        max_length: Tokens of an example; longer ones are cut.
        precision: `"auto"` is bf16 on a GPU that has it and float32 elsewhere; `"float32"`.
        quantize: `"none"`, or `"nf4"` for the frozen base of an adapter (QLoRA; CUDA only).
        layout: Layout of the logs, `"fairseq"` or `"hf_trainer"`; empty is that of the runs
            beside.
        reruns: Folder in which finished runs appear.
        keep: `"best"` keeps the weights of the best step, `"none"` keeps no weights.
    """

    task: str = "classification"
    data: DataPlan = DataPlan()
    tokenizer: str = ""
    dictionary: str = ""
    config: str = ""
    batch_size: int = 8
    epochs: int = 5
    learning_rate: float = 1e-5
    warmup: float = 0.06
    schedule: str = "linear"
    weight_decay: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.98
    epsilon: float = 1e-6
    clip_norm: float = 1.0
    dropout: float = 0.1
    max_length: int = 256
    precision: str = "auto"
    quantize: str = "none"
    layout: str = ""
    reruns: str = "reruns"
    keep: str = "best"
