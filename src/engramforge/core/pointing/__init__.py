"""Turns that change what was decided by a pronoun ("set it to 12") or by a name alone ("no wait, echarts"), and which
decision that is, by the talk around them."""
