"""The rate limiter: what each account may still send to the service, and who waits for it.

A `RateWindow` counts, a `RequestPacing` spaces, and a `Budget` decides for one account in one version. A `BudgetRegistry`
finds budgets, a `BudgetLedger` holds all of them, or those leased to this process, and requests wait at the `RateLimiter`.
"""
