"""Fine-tunes: the only package that imports torch, transformers and peft."""
