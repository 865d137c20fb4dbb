"""Runs a command and notes what it took.

usage: measured.py FILE COMMAND...   FILE gets the processor seconds and the mebibytes, of a command that succeeds
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys

# Linux alone has it.
PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
PR_SET_PDEATHSIG = 1


def dying_with_parent():
    """What a child calls before it becomes a command, so that the system kills it when its parent is killed."""
    parent = os.getpid()

    def call():
        if PRCTL:
            PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return call


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[2])
    path, *command = sys.argv[1:]
    try:
        # What is open here is the command's too: so it holds the lock that go-on has on its directory.
        child = subprocess.Popen(command, close_fds=False, preexec_fn=dying_with_parent())
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")
    # The command ends at a signal in its own way, and this after it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: child.send_signal(number))
    code = child.wait()
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
