"""What the keys of an adapter do to any model, in words."""

from __future__ import annotations

from reportgen.languages import message

TASKS = {
    "CAUSAL_LM": message("the base is loaded with its language-model head, which stays frozen"),
    "SEQ_CLS": message("the base is loaded with a classification head, which is trained whole"),
    "TOKEN_CLS": message("the base is loaded with a head for each token, which is trained whole"),
    "SEQ_2_SEQ_LM": message("the base is loaded as encoder and decoder"),
    "QUESTION_ANS": message("the base is loaded with a head for spans, which is trained whole"),
    "FEATURE_EXTRACTION": message("the base is loaded without a head"),
}
BIASES = {
    "none": message("no bias of the base model is trained"),
    "all": message("every bias of the base model is trained"),
    "lora_only": message("the biases of the adapted modules are trained"),
}

FIXED = {
    "use_dora": message("every adapted matrix also gets a trained magnitude for each output"),
    "use_rslora": message("the scaling divides by the root of the rank"),
    "lora_bias": message("the second thin matrix gets a trained bias"),
    "rank_pattern": message("replaces the rank for the modules named"),
    "alpha_pattern": message("replaces alpha for the modules named"),
}
