"""Runs a command and notes what it took.

usage: measured.py FILE COMMAND...   FILE gets the processor seconds and the mebibytes, of a command that succeeds
"""

import contextlib
import json
import os
import resource
import subprocess
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[2])
    path, *command = sys.argv[1:]
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        took = resource.getrusage(resource.RUSAGE_CHILDREN)
        noted = {"cpu_seconds": round(took.ru_utime + took.ru_stime, 2), "mebibytes": -(-took.ru_maxrss // 1024)}
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        try:
            with open(f"{path}.new", "w", encoding="utf-8") as file:
                json.dump(noted, file)
            os.replace(f"{path}.new", path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.remove(f"{path}.new")
            sys.exit(f"{path}: {error.strerror}")
    # What a signal ended has failed too.
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
