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
    },
)
