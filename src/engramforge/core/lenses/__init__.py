"""Where several lenses agree and where they pull apart, as pure functions of what each found."""
