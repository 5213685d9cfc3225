"""Whether a service is as the specification says: the cases of `kiroku service check`."""
