"""Parameters of a model and its adapters: counted by formula, held against what is stored."""
