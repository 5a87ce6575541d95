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
            "LLaMA, Mistral, Qwen2, Qwen3, Gemma and Gemma 2: grouped queries, gated feed-forward",
            ("llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2"),
        ),
        "albert": Entry(
            "reportgen.architectures.albert:ARCHITECTURE", "ALBERT: shared layers", ("albert",)
        ),
        "deberta": Entry(
            "reportgen.architectures.deberta:ARCHITECTURE",
            "DeBERTa, and DeBERTa versions 2 and 3",
            ("deberta", "deberta-v2"),
        ),
        "electra": Entry("reportgen.architectures.electra:ARCHITECTURE", "ELECTRA", ("electra",)),
        "gpt_neox": Entry(
            "reportgen.architectures.gpt_neox:ARCHITECTURE", "GPT-NeoX and Pythia", ("gpt_neox",)
        ),
        "opt": Entry("reportgen.architectures.opt:ARCHITECTURE", "OPT", ("opt",)),
        "falcon": Entry(
            "reportgen.architectures.falcon:ARCHITECTURE",
            "Falcon, one key and value head or groups of them",
            ("falcon", "RefinedWeb", "RefinedWebModel"),
        ),
        "phi": Entry(
            "reportgen.architectures.phi:ARCHITECTURE",
            "Phi-1 to Phi-2, the first format of their weights too",
            ("phi", "phi-msft", "mixformer-sequential"),
        ),
        "phi3": Entry("reportgen.architectures.phi3:ARCHITECTURE", "Phi-3", ("phi3",)),
        "mixture": Entry(
            "reportgen.architectures.mixture:ARCHITECTURE",
            "Mixtures of experts: Mixtral, Qwen2-MoE and Qwen3-MoE",
            ("mixtral", "qwen2_moe", "qwen3_moe"),
        ),
        "t5": Entry("reportgen.architectures.t5:ARCHITECTURE", "T5 and mT5", ("t5", "mt5")),
        "bart": Entry(
            "reportgen.architectures.bart:ARCHITECTURE", "BART and mBART", ("bart", "mbart")
        ),
        "whisper": Entry("reportgen.architectures.whisper:ARCHITECTURE", "Whisper", ("whisper",)),
        "vit": Entry("reportgen.architectures.vit:ARCHITECTURE", "ViT", ("vit",)),
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
