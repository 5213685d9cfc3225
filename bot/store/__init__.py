"""The database: tables, engine, one repository per aggregate, migrations."""
