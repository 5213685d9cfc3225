"""The demo: record service, simulated Discord and a browser page."""
