"""Words for training, examples and adapters, in English, in French and in programs."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.claims._setting_keys import (
    ADAPTER,
    DATA,
    NUMBER,
    SHARE,
    TEXT,
    TRAINING,
    WHOLE,
    SettingKey,
    key,
)

TRAINING_KEYS: tuple[SettingKey, ...] = (
    key(
        "learning_rate",
        TRAINING,
        NUMBER,
        names="""
            peak learning rate | initial learning rate | maximum learning rate | max learning
            rate | base learning rate | constant learning rate | fixed learning rate | lr | peak
            lr | max lr | init lr | initial lr | base lr | learning rates | starting learning
            rate | learning rate peak | learning rate value | final learning rate | taux
            d'apprentissage | taux d'apprentissage initial | taux d'apprentissage maximal | taux
            d'apprentissage maximum | pas d'apprentissage | learning rate maximal
        """,
        units="""
            learning rate | peak learning rate
        """,
    ),
    key(
        "batch_size",
        TRAINING,
        WHOLE,
        names="""
            batch sizes | mini batch size | minibatch size | training batch size | train batch
            size | per device batch size | per gpu batch size | per device train batch size |
            per device training batch size | per gpu train batch size | batch | batches of |
            batches of size | batch of size | batch of | mini batches of | mini batches of size
            | max sentences | bsz | bs | micro batch size | size of the batch | size of the
            batches | taille de batch | taille du batch | taille des batchs | taille de lot |
            taille des lots | taille de mini batch | lots de | batchs de | batch size of
        """,
        units="""
            sentences per batch | examples per batch | samples per batch | sequences per batch |
            exemples par batch | phrases par batch
        """,
    ),
    key(
        "eval_batch_size",
        TRAINING,
        WHOLE,
        names="""
            evaluation batch size | per device eval batch size | validation batch size | test
            batch size | batch size valid | batch size for evaluation
        """,
    ),
    key(
        "effective_batch_size",
        TRAINING,
        WHOLE,
        names="""
            total batch size | global batch size | total train batch size | effective batch |
            overall batch size | taille de batch effective
        """,
    ),
    key(
        "num_train_epochs",
        TRAINING,
        NUMBER,
        names="""
            number of epochs | number of training epochs | num epochs | n epochs | nb epochs |
            nb of epochs | max epoch | max epochs | maximum number of epochs | total epochs |
            training epochs | train epochs | fine tuning epochs | number of fine tuning epochs |
            total number of epochs | no of epochs | nombre d'époques | nombre d'epochs | nb
            d'époques | nombre total d'époques
        """,
        units="""
            epochs | training epochs | fine tuning epochs | full epochs | epochs of training |
            passes over the training set | epochs of fine tuning | epoch training | complete
            epochs | finetuning epochs | époques | epoques | époques d'entraînement
        """,
        assigned="""
            epochs | époques | epoques | epoch
        """,
    ),
    key(
        "max_steps",
        TRAINING,
        WHOLE,
        names="""
            maximum number of steps | number of training steps | total number of training steps
            | number of updates | total number of updates | number of iterations | num updates |
            num training steps | number of optimizer steps | total number of steps | max updates
            | total num update | total num updates | max update | training steps | total steps |
            number of backpropagations | number of steps | number of gradient steps | total
            updates | num steps | num iterations | max iterations | max iters | total training
            steps | nombre d'itérations | nombre de mises à jour | nombre total de mises à jour
            | nombre de pas | nombre d'étapes | nombre total d'étapes
        """,
        units="""
            training steps | optimizer steps | optimization steps | updates | gradient updates |
            parameter updates | training iterations | steps in total | updates in total |
            backpropagations | total steps | total updates | mises à jour | itérations au total
            | pas d'entraînement | étapes d'entraînement
        """,
    ),
    key(
        "steps_per_epoch",
        TRAINING,
        WHOLE,
        names="""
            updates per epoch | number of steps per epoch | batches per epoch | iterations per
            epoch | number of updates per epoch | pas par époque | itérations par époque
        """,
        units="""
            steps per epoch | updates per epoch | updates each epoch | updates by epoch | steps by
            epoch | iterations by epoch | batches by epoch | updates for each epoch | steps for
            each epoch | updates in each epoch | steps in each epoch | updates in one epoch |
            iterations per epoch | batches per epoch | steps an epoch | updates an epoch |
            steps each epoch | optimizer steps per epoch | training steps per epoch | gradient
            steps per epoch | pas par
            époque | itérations par époque | mises à jour par époque | étapes par époque
        """,
    ),
    key(
        "warmup_ratio",
        TRAINING,
        NUMBER,
        names="""
            warm up | warmup rate | warm up proportion | warm up fraction | warm up share |
            linear warm up | linear warmup ratio | warmup of | échauffement | taux de warmup
        """,
        units="""
            warm up | linear warm up | of warm up | warm up ratio | of the steps for warm up |
            de warm up | d'échauffement
        """,
    ),
    key(
        "warmup_steps",
        TRAINING,
        WHOLE,
        names="""
            warm up updates | warm up iterations | number of warm up steps | number of warm up
            updates | num warmup steps | lr scheduler warmup steps | warmup iters
            | pas d'échauffement
        """,
        units="""
            warm up steps | warm up updates | warm up iterations | steps of warm up | updates of
            warm up | pas de warm up
        """,
    ),
    key(
        "weight_decay",
        TRAINING,
        NUMBER,
        names="""
            l2 regularization | l2 penalty | wd | décroissance des poids
        """,
    ),
    key(
        "gradient_accumulation_steps",
        TRAINING,
        WHOLE,
        names="""
            gradient accumulation | update freq | update frequency | accumulation steps | grad
            accumulation steps | grad accum steps | accumulate grad batches | accumulation de
            gradient
        """,
        units="""
            gradient accumulation steps | accumulation steps
        """,
    ),
    key(
        "adam_beta1",
        TRAINING,
        SHARE,
        names="""
            beta1 | beta 1 | β1 | β 1
        """,
    ),
    key(
        "adam_beta2",
        TRAINING,
        SHARE,
        names="""
            beta2 | beta 2 | β2 | β 2
        """,
    ),
    key(
        "adam_epsilon",
        TRAINING,
        NUMBER,
        names="""
            adam eps
        """,
        assigned="""
            epsilon | eps | ε
        """,
    ),
    key(
        "momentum",
        TRAINING,
        SHARE,
        names="""
            sgd momentum
        """,
    ),
    key(
        "max_grad_norm",
        TRAINING,
        NUMBER,
        names="""
            gradient clipping | clip norm | gradient clip | grad clip | gradient norm clipping |
            max gradient norm | gradient clipping norm | gradient clip val
        """,
    ),
    key(
        "label_smoothing",
        TRAINING,
        SHARE,
        names="""
            label smoothing factor
        """,
    ),
    key(
        "optimizer",
        TRAINING,
        TEXT,
        names="""
            optim | optimiser | optimiseur
        """,
    ),
    key(
        "lr_scheduler_type",
        TRAINING,
        TEXT,
        names="""
            lr scheduler | learning rate scheduler | scheduler | scheduler type | lr schedule |
            learning rate schedule | learning rate decay | schedule
        """,
    ),
    key(
        "seed",
        TRAINING,
        WHOLE,
        assigned="""
            seed | graine | random seed | manual seed | random state | rng seed | graine aléatoire
        """,
    ),
)
DATA_KEYS: tuple[SettingKey, ...] = (
    key(
        "max_length",
        DATA,
        WHOLE,
        names="""
            max sentence size | maximum sentence size | max sentence length | maximum sentence
            length | maximum length of a sentence | max length of a sentence | max seq length |
            max seq len | maximum sequence length | max sequence length | sequence length | seq
            len | seq length | maximum length | max len | tokens per sample | max tokens |
            maximum input length | max input length | maximum number of tokens | maximum size of
            a sentence | max tokens | length of the sequences | truncation length | max source
            length | input length | maximum length of the sequence | maximum length of sequences
            | max sequence size | longueur maximale | longueur maximale de séquence | longueur
            de séquence | longueur max | longueur maximale des séquences | longueur maximale
            d'une phrase
        """,
    ),
    key(
        "train_examples",
        DATA,
        WHOLE,
        names="""
            num samples | n samples | number of training samples | number of training examples |
            training set size | train set size | train size | training samples | training
            examples | num train samples | n train | num train | num examples | number of
            training sentences | size of the training set | training set of size | taille du jeu
            d'entraînement | nombre d'exemples d'entraînement
        """,
    ),
    key(
        "validation_examples",
        DATA,
        WHOLE,
        names="""
            number of validation samples | number of validation examples | validation set size |
            valid size | val size | n valid | n val | size of the validation set | taille du jeu
            de validation
        """,
    ),
    key(
        "test_examples",
        DATA,
        WHOLE,
        names="""
            number of test samples | number of test examples | test set size | test size | n
            test | size of the test set | taille du jeu de test
        """,
    ),
)
ADAPTER_KEYS: tuple[SettingKey, ...] = (
    key("r", ADAPTER, WHOLE, names="lora r | lora rank | rank of lora | rang de lora | rang lora"),
    key(
        "lora_alpha",
        ADAPTER,
        NUMBER,
        names="lora α | lora scaling | lora scaling factor | alpha lora | α lora",
    ),
    key("lora_dropout", ADAPTER, SHARE, names="lora drop out | dropout lora | dropout de lora"),
    key("target_modules", ADAPTER, TEXT, names="lora target modules | lora targets"),
    key("bias", ADAPTER, TEXT, names="lora bias"),
    key("task_type", ADAPTER, TEXT),
    key("modules_to_save", ADAPTER, TEXT, names="modules to save"),
    *(
        key(name, ADAPTER, TEXT)
        for name in (
            *("use_rslora", "use_dora", "init_lora_weights", "fan_in_fan_out", "inference_mode"),
            *("layers_to_transform", "layers_pattern", "exclude_modules", "peft_type"),
        )
    ),
)
NEAR_ADAPTER: Mapping[str, str] = {
    **dict.fromkeys(("r", "rank", "rang", "matrixrank", "rankr", "rangr"), "r"),
    **dict.fromkeys(("alpha", "α", "scalingfactor", "scaling", "scalingparameter"), "lora_alpha"),
    **dict.fromkeys(("facteurdéchelle", "alphaparameter", "alphavalue"), "lora_alpha"),
    **dict.fromkeys(("dropout", "dropoutrate", "dropoutprobability"), "lora_dropout"),
    **dict.fromkeys(("tauxdedropout", "dropoutratio"), "lora_dropout"),
    **dict.fromkeys(("bias", "biais", "biastype"), "bias"),
    **dict.fromkeys(("targetmodule", "modulescibles"), "target_modules"),
    **dict.fromkeys(("typedetâche",), "task_type"),
}
"""Condensed words that name an adapter's key where an adapter is spoken of."""
