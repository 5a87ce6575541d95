"""Write `lora/adapter_config.json` with peft's own `LoraConfig`.

python make_adapter.py         # needs peft
"""

from __future__ import annotations

from pathlib import Path

from peft import LoraConfig

LORA = Path(__file__).resolve().parent / "lora"


def main() -> None:
    """Write the configuration of the lab's adapter."""
    LoraConfig(
        base_model_name_or_path="bigscience/bloom-560m",
        task_type="CAUSAL_LM",
        r=16,
        lora_alpha=32,
        lora_dropout=0.05,
        target_modules=["query_key_value"],
        bias="none",
    ).save_pretrained(str(LORA))


if __name__ == "__main__":
    main()
