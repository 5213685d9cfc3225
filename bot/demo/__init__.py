"""The embedded default: service, simulated Discord and a browser page."""
