"""What somebody ends in plain words: decisions that they turn from, matters that they close."""
