"""The hook client: `client.py` is run as a file of its own by any Python from 3.8 on, by `launch.py`, and imported by
nobody."""
