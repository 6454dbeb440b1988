"""sameas inside other libraries: PyTorch, Hugging Face, spaCy, scikit-learn; a file for each."""
