"""Runs a command and records its processor time and memory.

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

# Only on Linux.
PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
PR_SET_PDEATHSIG = 1


def dying_with_parent():
    """Called in a child before the command starts: the system kills the child when its parent is killed."""
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
        # The command inherits open files, and so holds go-on's lock on its directory.
        child = subprocess.Popen(command, close_fds=False, preexec_fn=dying_with_parent())
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")
    # At a signal the command ends in its own way, and this program after it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: child.send_signal(number))
    code = child.wait()
    if code == 0:
        took = resource.getrusage(resource.RUSAGE_CHILDREN)
        noted = {"cpu_seconds": round(took.ru_utime + took.ru_stime, 2), "mebibytes": -(-took.ru_maxrss // 1024)}
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(f"{path}.new", "w", encoding="utf-8") as file:
                json.dump(noted, file)
            os.replace(f"{path}.new", path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.remove(f"{path}.new")
            sys.exit(f"{path}: {error.strerror}")
    # A command ended by a signal has failed too.
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
