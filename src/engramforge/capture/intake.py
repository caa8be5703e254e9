"""Being written by the lead right now (see /work/lab/CONVENTIONS.md, update 18:46)."""
