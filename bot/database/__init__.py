"""The database itself: engine, transactions, tables, migrations and what can be wrong with it."""
