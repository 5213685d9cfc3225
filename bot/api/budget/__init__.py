"""The room of the budgets: what each account may still send to the service, and who waits for it.

A Window counts, a Pace spaces, a Budget decides for one account in one version, `accounts` finds it, a Ledger holds
them all, or, where they travel between processes, those that are here, and at the RateLimiter requests wait for their turn.
"""
