"""What exists because several processes may share one database: leases, liveness, leadership and invalidation."""
