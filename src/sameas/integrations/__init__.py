"""Adapters for other libraries: PyTorch, Hugging Face, spaCy and scikit-learn, one file each."""
