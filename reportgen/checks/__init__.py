"""Claims against evidence, the same report and arithmetic: one file a kind of check."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

CHECKS = Registry(
    "check",
    {
        "arithmetic": Entry(
            "reportgen.checks.arithmetic:check", "a printed calculation gives what is printed"
        ),
        "substitution": Entry(
            "reportgen.checks.substitution:check",
            "a formula gives the printed number when the report's own values are put in",
        ),
        "unknowns": Entry(
            "reportgen.checks.unknowns:check",
            "an equation with one value left unsaid has a possible solution",
        ),
        "ingredients": Entry(
            "reportgen.checks.ingredients:check",
            "a calculation counts the parts that the text names",
        ),
        "named": Entry(
            "reportgen.checks.named:check",
            "a number that carries its id is the one of the built report",
        ),
        "value": Entry("reportgen.checks.value:check", "a value stands so in the logs"),
        "tail": Entry(
            "reportgen.checks.tail:check",
            "a mean of last points is that of the logs",
        ),
        "best_step": Entry(
            "reportgen.checks.best_step:check", "a best step is the best one of the logs"
        ),
        "aggregate": Entry(
            "reportgen.checks.aggregate:check",
            "a mean or spread is that of the logged values under some definition",
        ),
        "difference": Entry(
            "reportgen.checks.difference:check", "a difference is that of the values it is of"
        ),
        "significance": Entry(
            "reportgen.checks.significance:check", "what a test gives is that of its two groups"
        ),
        "spread": Entry(
            "reportgen.checks.spread:check",
            "a value is possible beside a printed mean and standard deviation",
        ),
        "copied": Entry(
            "reportgen.checks.copied:check", "two columns do not repeat each other by accident"
        ),
        "reachable": Entry(
            "reportgen.checks.reachable:check", "an accuracy is a number of examples out of N"
        ),
        "precision": Entry(
            "reportgen.checks.precision:check", "a column keeps its number of decimals"
        ),
        "units": Entry(
            "reportgen.checks.units:check", "percent, fractions and points are not mixed"
        ),
        "smoothed": Entry(
            "reportgen.checks.smoothed:check", "a result is no value of a smoothed curve"
        ),
        "definition": Entry(
            "reportgen.checks.definition:check", "a spread says what it is and over how many runs"
        ),
        "one_choice": Entry(
            "reportgen.checks.one_choice:check",
            "values that stand together follow one choice of the best step",
        ),
        "oracle": Entry(
            "reportgen.checks.oracle:check", "the best test value is not quoted as the result"
        ),
        "superlative": Entry(
            "reportgen.checks.superlative:check", "what is called highest or lowest is so"
        ),
        "ordering": Entry(
            "reportgen.checks.ordering:check", "what is called higher or lower is so"
        ),
        "trend": Entry("reportgen.checks.trend:check", "what is said to rise or fall does"),
        "range": Entry("reportgen.checks.range:check", "values lie in the range that is given"),
        "contradiction": Entry(
            "reportgen.checks.contradiction:check", "two passages of the report agree"
        ),
        "counted": Entry(
            "reportgen.checks.counted:check", "numbers of runs, seeds and epochs are those found"
        ),
        "inventory": Entry(
            "reportgen.checks.inventory:check", "what is listed of runs and files is what they hold"
        ),
        "share": Entry(
            "reportgen.checks.share:check", "shares of parameters are those of the counts beside"
        ),
        "steps": Entry(
            "reportgen.checks.steps:check", "steps, epochs, batch and examples fit together"
        ),
        "hyperparameter": Entry(
            "reportgen.checks.hyperparameter:check", "a setting is that of the configuration"
        ),
        "parameter_count": Entry(
            "reportgen.checks.parameter_count:check",
            "a number of parameters is that of some scope of the model",
        ),
        "shape": Entry("reportgen.checks.shape:check", "shapes are those of the model"),
        "lora_config": Entry(
            "reportgen.checks.lora_config:check", "LoRA keys and values exist and are those used"
        ),
        "lora_meaning": Entry(
            "reportgen.checks.lora_meaning:check", "what is said of a LoRA key is what it does"
        ),
    },
)
