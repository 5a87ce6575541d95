"""Words that name groups of runs: starts, families of models, nouns that go with them."""

from __future__ import annotations

START = (
    r"(?:non[\s-]|not[\s-]|un)?pre[\s-]?train(?:ed)?(?![\s-]?ing)"
    r"|(?:non[\s-])?pr[ée][\s-]?entra[îi]n[ée]e?s?|fine[\s-]?tuned|affin[ée]e?s?"
    r"|random(?:ly)?[\s-](?:initiali[sz](?:ed|ation)|init(?:iali[sz]ed)?|start(?:ed)?|weights?)"
    r"|random(?:ly)?(?![\s-](?:seeds?|guess|chance|forest|state|crop|search|classifier|pred"
    r"|sampl|flip|number|noise|ly))"
    r"|(?:trained\s|training\s|learned\s|learnt\s)?from[\s-]sc?r?atch"
    r"|(?:de|à\spartir\sde)\sz[ée]ro|al[ée]atoire(?:ment)?(?:\sinitialis[ée]e?s?)?"
    r"|initialis[ée]e?s?\sal[ée]atoirement|baseline|r[ée]f[ée]rence|frozen|gel[ée]e?s?"
    r"|distilled|quanti[sz]ed|untrained|full(?:y)?[\s-]fine[\s-]?tun(?:ing|ed)"
    r"|linear\sprob(?:e|ing)|prefix[\s-]tuning|prompt[\s-]tuning|zero[\s-]shot|few[\s-]shot"
    r"|proposed|teacher|(?<!de\s)student"
    r"|(?:with(?:out)?|avec|sans|no|w/o?)\s(?:data\s)?(?:augmentations?|dropout"
    r"|regulari[sz]ation|pre[\s-]?training|warm-?up|batch\s?norm(?:ali[sz]ation)?|attention"
    r"|weight\sdecay|label\ssmoothing|skip\sconnections?|pr[ée][\s-]?entra[îi]nement"
    r"|r[ée]gularisation)"
)
"""How the runs of a group were started, or what is special of them."""

FAMILIES = (
    "roberta", "distilroberta", "xlm-roberta", "xlm-r", "bert", "distilbert", "camembert",
    "flaubert", "mbert", "albert", "electra", "deberta", "gpt", "gpt2", "llama", "mistral",
    "bloom", "bloomz", "falcon", "qwen", "phi", "gemma", "opt", "t5", "mt5", "flan-t5", "bart",
    "barthez", "mbart", "marian", "nllb", "whisper", "wav2vec", "wav2vec2", "hubert", "resnet",
    "resnext", "wideresnet", "densenet", "vgg", "alexnet", "lenet", "mobilenet", "efficientnet",
    "inception", "convnext", "vit", "deit", "swin", "clip", "unet", "u-net", "deeplab", "fcn",
    "segformer", "yolo", "faster r-cnn", "mask r-cnn", "detr", "lstm", "bilstm", "gru", "rnn",
    "cnn", "mlp", "transformer", "tf-idf", "svm", "knn", "k-nn", "random forest", "xgboost",
    "lightgbm", "logistic regression", "linear regression", "naive bayes", "decision tree",
    "ridge", "lasso", "dqn", "double dqn", "ddqn", "dueling dqn", "ppo", "a2c", "a3c", "sac",
    "ddpg", "td3", "trpo", "reinforce", "q-learning", "sarsa", "seq2seq", "lora", "qlora", "dora",
    "adapter", "adapters", "adam", "adamw", "sgd", "rmsprop", "adagrad", "adafactor", "fasttext",
    "word2vec", "glove", "gcn", "gat", "graphsage", "vae", "gan", "ddpm",
)  # fmt: skip
"""First words of the names of models, algorithms and optimizers."""

SUFFIX = (
    r"(?:[\s_-]?(?:small|base|large|tiny|mini|medium|xl|xxl|huge|big|cased|uncased|fr|french"
    r"|multilingual|v\d(?:\.\d)?|\d{1,4}(?:\.\d)?[mbk]|[bslx]/?\d{1,2}|r\s?=\s?\d{1,4}"
    r"|rank\s?\d{1,4}|(?<=[-_])\d{1,4}|(?<=[^\W\d_])\d{1,4})(?![^\W_])){0,4}"
)
"""What may follow the first word of a model's name."""

NOUN = (
    r"models?|mod[èe]les?|networks?|r[ée]seaux?|ones?|versions?|variants?|variantes?|weights"
    r"|poids|method|m[ée]thode|approach|approche|system|classifier|agents?|runs"
    r"|init(?:iali[sz]ation)?|start|small|large|tiny"
)
"""What a group is called in general."""
