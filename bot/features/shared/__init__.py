"""What several features share: askers, the song library, catalogues, coaches and paging."""
