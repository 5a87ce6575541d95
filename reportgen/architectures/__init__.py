"""Parameter counts from configurations: one file a model family, one a kind of adapter."""

from reportgen.registry import Entry, Registry

ARCHITECTURES = Registry(
    "architecture",
    {
        "roberta": Entry(
            "reportgen.architectures.roberta:ARCHITECTURE",
            "RoBERTa, CamemBERT and XLM-R, in Hugging Face's and fairseq's keys",
            ("roberta", "camembert", "xlm-roberta", "roberta_*"),
        ),
        "bert": Entry("reportgen.architectures.bert:ARCHITECTURE", "BERT", ("bert",)),
        "distilbert": Entry(
            "reportgen.architectures.distilbert:ARCHITECTURE", "DistilBERT", ("distilbert",)
        ),
        "gpt2": Entry("reportgen.architectures.gpt2:ARCHITECTURE", "GPT-2", ("gpt2",)),
        "bloom": Entry("reportgen.architectures.bloom:ARCHITECTURE", "BLOOM", ("bloom",)),
        "llama": Entry(
            "reportgen.architectures.llama:ARCHITECTURE",
            "LLaMA, Mistral, Qwen2 and Gemma: grouped queries, gated feed-forward",
            ("llama", "mistral", "qwen2", "gemma"),
        ),
    },
)

ADAPTERS = Registry(
    "adapter",
    {
        "lora": Entry(
            "reportgen.architectures.lora:count_adapter", "LoRA, rsLoRA and DoRA", ("LORA",)
        ),
        "adalora": Entry(
            "reportgen.architectures.adalora:count_adapter", "AdaLoRA at its start", ("ADALORA",)
        ),
        "loha": Entry("reportgen.architectures.loha:count_adapter", "LoHa", ("LOHA",)),
        "lokr": Entry("reportgen.architectures.lokr:count_adapter", "LoKr", ("LOKR",)),
        "ia3": Entry("reportgen.architectures.ia3:count_adapter", "(IA)³", ("IA3",)),
        "vera": Entry("reportgen.architectures.vera:count_adapter", "VeRA", ("VERA",)),
        "oft": Entry("reportgen.architectures.oft:count_adapter", "OFT", ("OFT",)),
        "boft": Entry(
            "reportgen.architectures.boft:count_adapter", "BOFT with one factor", ("BOFT",)
        ),
        "ln_tuning": Entry(
            "reportgen.architectures.ln_tuning:count_adapter", "LayerNorm tuning", ("LN_TUNING",)
        ),
        "prompt_tuning": Entry(
            "reportgen.architectures.prompt_tuning:count_adapter",
            "prompt tuning",
            ("PROMPT_TUNING",),
        ),
        "prefix_tuning": Entry(
            "reportgen.architectures.prefix_tuning:count_adapter",
            "prefix tuning, with and without projection",
            ("PREFIX_TUNING",),
        ),
        "p_tuning": Entry(
            "reportgen.architectures.p_tuning:count_adapter", "P-tuning", ("P_TUNING",)
        ),
    },
)
