"""Values in, Discord objects out: embeds, pages, modals, and the languages they speak."""
