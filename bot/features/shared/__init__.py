"""What several features share: askers, the song library, catalogues, player models and paging."""
