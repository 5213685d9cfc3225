"""One file per command group: parse, ask a feature, show."""
