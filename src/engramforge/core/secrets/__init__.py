"""Where secrets stand in a text: key blocks, tokens of services, credentials in addresses and headers, named values.

Each part yields spans of one kind of place; `places` puts them together. Pure functions, linear in a text's length.
"""
