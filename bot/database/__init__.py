"""The database itself: engine, transactions, tables, migrations and its errors."""
