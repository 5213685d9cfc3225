"""Languages: translated text, and how each language writes numbers, dates and lists."""
