"""Dreams: a project is tidied up while nobody asks anything."""
