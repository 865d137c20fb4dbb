"""Chooses and runs the steps of a campaign in one directory.

A step is a table at an effort. In the directory, `record.csv` has a line for each file in `pcn/`, and `tried.csv` a line for
each finished step whose file is not kept. Unfinished work is in `work/`, in the layout that record.py expects. A step is finished
when its line is in record.csv. If the program is killed after that, the next start moves the file from `work/` to its place; it
removes everything else there. Then the file is copied to the store, and its line is merged into the record, by take-in.
"""

import contextlib
import csv
import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import record
import records
from measured import dying_with_parent

PLACE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(PLACE))
SYZYGY_SIZES = f"{ROOT}/fixtures/syzygy-wdl-bytes.tsv"
# Bytes and user seconds of KNNvKR at efforts 1, 2 and 3, from docs/decisions/growth-of-trees.md.
MEASURED = {1: (253_227, 41), 2: (194_459, 100), 3: (181_617, 208)}
# The ratio to Syzygy's bytes at effort 1, if no table of as many men is recorded; from docs/sizes.md.
RATIO = 0.127
FULL = (errno.ENOSPC, errno.EDQUOT)


class Stopped(BaseException):
    """The program was stopped by a signal."""


class Failed(Exception):
    """A step has failed: the message and the exit status."""


def expected(effort):
    """Bytes and processor time as multiples of those at effort 1: measured, or on a geometric line through the two measured
    efforts nearest to this one."""
    below, above = sorted(sorted(MEASURED, key=lambda measured: abs(measured - effort))[:2])
    way = (effort - below) / (above - below)
    line = (low * (high / low) ** way for low, high in zip(MEASURED[below], MEASURED[above]))
    return [figure / at_1 for figure, at_1 in zip(line, MEASURED[1])]


def saved_by_effort(since, effort):
    """The estimated fraction of its bytes that a table saves from one effort to another."""
    return 1 - expected(effort)[0] / expected(since)[0]


def times_effort_1(effort):
    """Estimated processor time as a multiple of that at effort 1."""
    return expected(effort)[1]


def men(table):
    return len(table) - 1


def like(table, lines):
    """The lines of tables with as many men and as many pawns; if there are none, those with as many men."""
    lines = [line for line in lines if men(line["material"]) == men(table)]
    pawns = table.count("P")
    return [line for line in lines if line["material"].count("P") == pawns] or lines


def total(lines, column):
    return sum(float(line[column] or 0) for line in lines)


def remove_stale(directory):
    """Removes temporary files that no command is writing: commands lock theirs."""
    with contextlib.suppress(FileNotFoundError):
        for entry in os.scandir(directory):
            if entry.name.endswith(".new"):
                os.remove(entry.path)
            elif entry.name.startswith(".unfinished-"):
                with open(entry.path, "rb") as file, contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.remove(entry.path)


def in_background():
    """Called in a child before the command starts: it ends with this program, and runs at the lowest priority."""
    dies_with_parent = dying_with_parent()

    def call():
        dies_with_parent()
        os.nice(19)
        # If Linux schedules by session (autogroup), niceness only counts within a session.
        with contextlib.suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
            group.write("19")

    return call


class Campaign:
    def __init__(self, options):
        """`options`: those of go-on, all paths absolute."""
        self.options, self.status, self.failed, self.began = options, 0, set(), time.monotonic()
        # Lines of tables that need not be made, and of all tables, whose times are known.
        self.known = [] if options.anew else records.read(options.record)
        self.recorded = [line for line in self.known if records.is_stored(line, options.store)]
        self.plan = self.planned()
        os.makedirs(options.directory, exist_ok=True)
        os.chdir(options.directory)
        self.lock = self.locked()
        with open(SYZYGY_SIZES, encoding="utf-8", newline="") as file:
            rows = csv.reader((row for row in file if not row.startswith("#")), delimiter="\t")
            self.syzygy = {row[0]: int(row[1]) for row in list(rows)[1:]}
        self.own, self.tried = self.found("record.csv"), self.found("tried.csv")
        self.own = {line["material"]: line for line in self.own if self.is_there(line)}
        self.clean()
        self.take_in()
        if options.store:
            records.check_store(records.read(options.record), options.store)

    def locked(self):
        """The lock of the directory. Commands inherit it, so it is held until the last of them has ended."""
        file = os.open(f"{self.options.directory}/lock", os.O_RDWR | os.O_CREAT, 0o666)
        for _ in range(20):
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return file
            time.sleep(0.1)
        raise ValueError(f"{self.options.directory}: another go-on, or a command that it began, is at work there")

    def planned(self):
        options = self.options
        command = [options.cubebase, "plan", *options.targets, "--effort", "1", "--memory", options.memory]
        command += ["--threads", str(options.threads)]
        done = subprocess.run([*command, "--format", "json"], check=False, stdout=subprocess.PIPE)
        if done.returncode:
            if done.returncode < 0:
                raise ValueError(f"{options.cubebase} plan was killed by {signal.Signals(-done.returncode).name}")
            # The command has printed the reason.
            sys.exit(done.returncode)
        try:
            said = json.loads(done.stdout)
            plan = {table["material"]: table for table in said["tables"]}
            # Of five men with distances to zeroing, for the 50-move rule.
            self.metric = said["metric"]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{options.cubebase}: `plan` has printed no plan: is this cubebase?") from error
        numbers = {str(table["men"]) for table in plan.values()}
        for target in options.targets:
            if target not in plan and target not in numbers:
                self.say(f"{target}: the plan names it otherwise; write one of {' '.join([*sorted(numbers), *plan])}")
                sys.exit(2)
        self.targets = [
            name for name, table in plan.items() if name in options.targets or str(table["men"]) in options.targets
        ]
        for name in list(self.targets):
            if plan[name]["refused"]:
                self.fails(name, 1, Failed(plan[name]["refused"], 3))
                self.targets.remove(name)
        return plan

    def found(self, path):
        return records.read(path, rewritten=True) if os.path.exists(path) else []

    def is_there(self, line):
        """Whether the file of a line exists. Moves it to its place if the program was killed after writing the line."""
        table, work = line["material"], f"work/auto-{line['effort']}"
        if records.sha256(f"{work}/pcn/{table}.pcn") == line["sha256"]:
            self.publish(line)
        if records.sha256(f"pcn/{table}.pcn") == line["sha256"]:
            return True
        self.say(f"{table}: pcn/{table}.pcn is not the file of its line in record.csv: the line does not count")
        return False

    @staticmethod
    def publish(line):
        """Moves the check, then the file: as long as the file is in `work`, the next start repeats this."""
        table, work = line["material"], f"work/auto-{line['effort']}"
        for file in (f"verified/{table}.json", f"pcn/{table}.pcn"):
            os.makedirs(os.path.dirname(file), exist_ok=True)
            if os.path.exists(f"{work}/{file}"):
                os.replace(f"{work}/{file}", file)

    def clean(self):
        shutil.rmtree("work", ignore_errors=True)
        store = [self.options.store] if self.options.store else []
        for directory in (".", "wdl", "pcn", "verified", "measured/generate", *store):
            remove_stale(directory)

    @staticmethod
    def say(text):
        print(f"go-on: {text}", file=sys.stderr, flush=True)

    def fails(self, table, effort, failed):
        text, status = failed.args
        self.say(text)
        self.failed.add((table, effort))
        # A mismatch is the most serious result.
        self.status = 1 if 1 in (status, self.status) else status

    def best(self, table):
        """The line of the smallest file of a table, or None."""
        lines = [line for line in self.recorded if line["material"] == table]
        lines += [self.own[table]] if table in self.own else []
        return min(lines, key=lambda line: int(line["bytes"]), default=None)

    def take_in(self):
        """Brings the files and lines of this directory into the store and the record, if there is a store."""
        options = self.options
        if options.store and self.own:
            command = [sys.executable, f"{PLACE}/take-in", "--record", options.record, "--store", options.store]
            command += ["--text", f"{os.path.splitext(options.record)[0]}.md", options.directory]
            # The record is of one number of men; take-in passes over other lines.
            command += ["--men", str(max(map(men, self.own)))]
            if subprocess.run(command, check=False).returncode:
                # take-in has said why.
                raise ValueError(f"{options.store}: the files of {options.directory} are not taken in")

    # Choosing the next step.

    def seconds(self, table, effort):
        """Estimated processor seconds to minimize: by lines of the table, else of similar tables, else by the plan."""
        timed = [
            line
            for line in (*self.known, *self.own.values(), *self.tried)
            if line["material"] in self.plan and line["minimize_cpu_seconds"]
        ]
        lines = [line for line in timed if line["material"] == table] or like(table, timed)
        slots = sum(self.plan[line["material"]]["slots"] * times_effort_1(int(line["effort"])) for line in lines)
        a_slot = total(lines, "minimize_cpu_seconds") / slots if slots else 0
        at_1 = a_slot * self.plan[table]["slots"] or self.plan[table]["minimize"]["cpu_seconds"]
        return max(at_1 * times_effort_1(effort), 0.01)

    def finished(self, table):
        """The highest effort at which a table is finished; 0 if none."""
        lines = (*self.recorded, *self.own.values(), *self.tried)
        return max((int(line["effort"]) for line in lines if line["material"] == table), default=0)

    def saved(self, table, effort):
        """Estimated bytes that a step saves."""
        best = self.best(table)
        if best:
            return int(best["bytes"]) * saved_by_effort(self.finished(table), effort)
        alike = like(table, (line for line in (*self.known, *self.own.values()) if line["syzygy_bytes"]))
        ratio = total(alike, "bytes") / total(alike, "syzygy_bytes") if alike else RATIO
        return self.syzygy.get(table, 0) * (1 - min(ratio, 1))

    def steps(self):
        """All possible steps, the most bytes for a second first: missing tables at the least effort, others at the efforts above
        the finished ones."""
        steps = []
        for table in self.targets:
            efforts = range(self.finished(table) + 1, self.options.most_effort + 1) if self.best(table) else [self.options.least_effort]
            for effort in efforts:
                if (table, effort) not in self.failed:
                    steps.append((self.saved(table, effort) / self.seconds(table, effort), table, effort))
        return sorted(steps, key=lambda step: (-step[0], step[1:]))

    # Running a step.

    def run(self, stage, table, effort, *words):
        """Runs a command of cubebase to its end, with measurement, and returns its output."""
        options, place = self.options, "." if stage == "generate" else f"work/auto-{effort}"
        command = [sys.executable, "-IS", f"{PLACE}/measured.py", f"{place}/measured/{stage}/{table}.json"]
        command += [options.cubebase, stage, *words, "--memory", options.memory, "--threads", str(options.threads)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[self.lock],
            preexec_fn=in_background(),
        )
        try:
            out, said = process.communicate()
        except BaseException:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(process.pid, number)
                    process.communicate(timeout=10)
            raise
        if process.returncode == 0:
            return out
        lines = said.decode(errors="replace").strip().splitlines()
        with contextlib.suppress(ValueError, KeyError, IndexError):
            lines.append(json.loads(out)["files"][0]["error"])
        why = f"{table}: {stage} ended with exit status {process.returncode}: {lines[-1] if lines else 'no output'}"
        if any(os.strerror(number) in line for line in lines for number in FULL):
            raise OSError(errno.ENOSPC, why)
        log = f"{options.directory}/logs/{table}-{effort}-{stage}.log"
        records.write_whole(log, said + out)
        raise Failed(f"{why}; see {log}", 1 if stage == "verify" and process.returncode == 1 else 3)

    def solve(self, table, effort):
        """Makes the outcome table of a table and of its sub-tables, one at a time, so that each is measured."""
        if os.path.exists(f"wdl/{table}.{self.metric}"):
            return
        for below in self.plan[table]["after"]:
            self.solve(below, effort)
        os.makedirs("wdl", exist_ok=True)
        self.run("generate", table, effort, table, "--metric", self.metric, "--out", "wdl")

    def checked(self, table, effort):
        """Checks a file in `work`, and returns its line."""
        work = f"work/auto-{effort}"
        pcn, verified = f"{work}/pcn/{table}.pcn", f"{work}/verified/{table}.json"
        syzygy = [word for directory in self.options.syzygy for word in ("--syzygy", directory)]
        out = self.run("verify", table, effort, pcn, "--tables", "wdl", *syzygy, "--canonical", "--format", "json")
        records.write_whole(verified, out)
        try:
            values = record.line(self.options.cubebase, verified)
            line = {column: "" if value is None else str(value) for column, value in zip(records.COLUMNS, values)}
            records.check(line)
        except subprocess.CalledProcessError as error:
            raise Failed(f"{table}: {error.cmd[1]} ended with exit status {error.returncode}", 3) from error
        except ValueError as error:
            raise Failed(str(error), 1) from error
        return line

    def make(self, table, effort):
        try:
            self.solve(table, effort)
        except Failed:
            # It would fail at every effort.
            self.targets.remove(table)
            raise
        os.makedirs(f"work/auto-{effort}/pcn", exist_ok=True)
        words = (table, "--tables", "wdl", "--effort", str(effort), "-o", f"work/auto-{effort}/pcn/{table}.pcn")
        self.run("minimize", table, effort, *words)
        self.finish(self.checked(table, effort))

    def finish(self, line):
        """Keeps the file if it is the smallest so far; otherwise only records the step."""
        table, best = line["material"], self.best(line["material"])
        seconds = total([line], "verify_cpu_seconds") + total([line], "minimize_cpu_seconds")
        before = int(best["bytes"]) if best else int(line["syzygy_bytes"] or 0)
        is_smaller = not best or int(line["bytes"]) < before
        done = f"not smaller than {before:,}"
        if is_smaller:
            done = f"{(before - int(line['bytes'])) / max(seconds, 0.01):,.1f} bytes saved a second"
            self.tried += [self.own[table]] if table in self.own else []
            self.own[table] = line
        else:
            self.tried.append(line)
        if self.tried:
            records.write_whole("tried.csv", records.text(self.tried).encode())
        if is_smaller:
            records.write_whole("record.csv", records.text(self.own.values()).encode())
            self.publish(line)
            self.take_in()
        ratio = f"{float(line['ratio']):.4f} of Syzygy's" if line["ratio"] else "no Syzygy file"
        begins = f"{table} effort {line['effort']}"
        print(f"{begins}: {int(line['bytes']):,} bytes, {ratio}, {seconds:.1f} s, {done}", flush=True)

    def over(self):
        hours = self.options.hours
        return hours is not None and time.monotonic() - self.began >= 3600 * hours

    def go(self):
        try:
            while (steps := self.steps()) and not self.over():
                _, table, effort = steps[0]
                try:
                    self.make(table, effort)
                except Failed as failed:
                    self.fails(table, effort, failed)
                shutil.rmtree("work", ignore_errors=True)
            return self.status
        finally:
            self.clean()
