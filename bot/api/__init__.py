"""The async API layer."""
