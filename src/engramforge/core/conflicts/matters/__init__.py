"""Statements about one matter that exclude each other: other alternatives or amounts, what is forbidden and done."""
