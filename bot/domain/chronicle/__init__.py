"""What is remembered of members' records, and what differs between two moments of it: pure."""
