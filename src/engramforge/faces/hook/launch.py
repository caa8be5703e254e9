"""Run the hook client from its bytecode, which Python keeps of a file that is imported, but not of one that it runs.

    python -I -S -E launch.py EVENT ...

Takes what client.py takes, and runs it as if it had been run itself. Its bytecode is kept beside it where this user may
write; where none is kept, or it is spoilt, the client is compiled, which takes some 4 ms. Where there is no client, or
none that this Python can read, nothing is done, and that is no error: an exit with 2 would block the session.
"""

client = __file__[: -len("launch.py")] + "client.py"
code = None
try:
    from _frozen_importlib_external import SourceFileLoader

    code = SourceFileLoader("client", client).get_code("client")
except Exception:  # noqa: BLE001, S110 - a session must not suffer from a spoilt cache
    pass
try:
    if code is None:
        with open(client, "rb") as source:
            code = compile(source.read(), client, "exec")
except Exception:  # noqa: BLE001 - half an installation is none
    raise SystemExit(0) from None
exec(code)  # noqa: S102 - it is the file beside this one
