"""CONE: coreference of names, with a gold standard or with an estimated one (Lin et al. 2010)."""
