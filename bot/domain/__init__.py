"""Pure game knowledge: no Discord, no HTTP, no SQL, no clock."""
