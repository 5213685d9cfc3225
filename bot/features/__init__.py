"""One module per feature: no Discord, no SQL, no HTTP."""
