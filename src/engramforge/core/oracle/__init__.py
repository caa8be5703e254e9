"""The oracle's rules: what resonates with a question, what is missing, how an answer is written."""
