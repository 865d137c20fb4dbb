"""Tests of go-on and take-in with a fake cubebase command: python3 tools/campaign/test_campaign.py"""

import csv
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

import campaign
import records

PLACE, ROOT = Path(campaign.PLACE), Path(campaign.ROOT)

# For each table: slots, bytes at efforts 1, 2 and 3, and wins, draws and losses of each side. The fewer bytes Syzygy has for a
# table (fixtures/), the later it comes.
TABLES = {
    "KvK": (1, [20, 20, 20], [[0, 3, 0]]),
    "KRvKN": (1000, [30000, 29000, 30500], [[5, 6, 7], [1, 2, 3]]),
    "KQvKR": (1000, [6000, 5000, 4000], [[10, 1, 2], [3, 4, 5]]),
    "KQvKQ": (1000, [3000, 3000, 3000], [[3, 9, 4]]),
    "KQvK": (1000, [150, 120, 110], [[9, 0, 0], [0, 1, 7]]),
}
MADE = "KRvKN KQvKR KQvKQ KQvK".split()
# The smallest up to effort 3.
ALL_3 = {"KRvKN": 29000, "KQvKR": 4000, "KQvKQ": 3000, "KQvK": 110}

# The fake command: its files begin with a line about their content and end with a full stop; `faults` names the failing command.
FAKE = """#!{python} -IS
import json, os, sys, time
tables, faults = json.loads({tables!r}), json.load(open({faults!r}))
command, *words = sys.argv[1:]
option = lambda name: words[words.index(name) + 1] if name in words else None
with open({calls!r}, "a") as calls:
    calls.write(command + " " + words[0] + "\\n")
def hash_of(name):
    return "%016x" % (sum(map(ord, name)) * 7919)
def write(path, head, size):
    part = os.path.join(os.path.dirname(path), ".unfinished-%d.tmp" % os.getpid())
    text = (head + "\\n").ljust(size - 1, "-") + "."
    with open(part, "w") as file:
        file.write(text[: size // 2])
        file.flush()
        time.sleep({pause})
        file.write(text[size // 2 :])
    os.rename(part, path)
def show(about, **what):
    print(json.dumps({{about: [what]}}))
name = os.path.basename(words[0]).split(".")[0]
slots, sizes, counts = tables.get(name, (0, [], []))
if command + " " + name in faults:
    status, text = faults[command + " " + name]
    print("cubebase: " + text, file=sys.stderr)
    sys.exit(status)
if command == "plan":
    known = [dict(material=name, men=len(name) - 1, slots=of[0], after=[] if name == "KvK" else ["KvK"],
        refused=faults.get("refused") if faults.get("refused", "").startswith(name + ":") else None,
        minimize=dict(cpu_seconds=of[0] / 1000)) for name, of in tables.items()]
    print(json.dumps(dict(metric="dtz", tables=known)))
elif command == "generate":
    write("wdl/%s.%s" % (name, option("--metric")), "wdl %s %s" % (name, hash_of(name)), 100)
elif command == "minimize":
    effort = int(option("--effort"))
    open("wdl/%s.dtz" % name).close()
    head = "pcn %s %s %d" % (name, hash_of(name), effort) + "!" * ("wrong " + name in faults)
    write(option("-o"), head, sizes[effort - 1])
else:
    text = open(words[0]).read()
    kind, _, its_hash, *_ = text.split("\\n")[0].split()
    whole = text.endswith(".") and "!" not in text
    if command == "verify":
        right = whole and its_hash == hash_of(name)
        both = 2 if len(counts) == 1 else 1
        checked = dict(positions=both * sum(map(sum, counts)), positions_compared_with_syzygy=words.count("--syzygy") or None,
            first_answer_milliseconds=0.5)
        show("files", right=right, **(checked if right else dict(error="a position is answered wrongly")))
        sys.exit(0 if right else 1)
    if command == "compare":
        show("tables", syzygy_bytes={{"KRvKN": 100048, "KQvKR": 20496, "KQvKQ": 16528, "KQvK": 272}}[name])
    elif kind == "wdl":
        sides = [dict(zip(("win", "draw", "loss", "turn"), [*of, turn])) for of, turn in zip(counts, ("white", "black"))]
        show("files", hash=its_hash, positions=sides)
    else:
        show("files", bytes=len(text), model="attack", clauses=len(text) // 10, table_hash=its_hash,
            sides=[dict(leaves_with_exceptions=3, pages=None)])
"""


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(lines)


class Directory(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.at = Path(made.name)
        self.dir, self.cubebase, self.calls = self.at / "campaign", self.at / "cubebase", self.at / "calls"
        self.empty = self.at / "empty.csv"
        self.empty.write_text(",".join(records.COLUMNS) + "\n")
        self.fake()

    def fake(self, pause=0, faults={}):
        (self.at / "faults").write_text(json.dumps(faults))
        self.calls.write_text("")
        values = {"python": sys.executable, "tables": json.dumps(TABLES), "pause": pause}
        self.cubebase.write_text(FAKE.format(calls=str(self.calls), faults=str(self.at / "faults"), **values))
        self.cubebase.chmod(0o755)

    def command(self, *words, record=None, targets=MADE):
        words = [str(word) for word in words]
        options = ["--cubebase", str(self.cubebase), "--record", str(record or self.empty), "--targets", *targets]
        return [sys.executable, str(PLACE / "go-on"), str(self.dir), *options, *words]

    def go_on(self, *words, expect=0, **options):
        done = subprocess.run(self.command(*words, **options), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def called(self, command):
        words = (line.split() for line in self.calls.read_text().splitlines())
        return [os.path.basename(name) for called, name in words if called == command]

    def assert_whole(self):
        """Each file in its final place is complete, and each line has its file, or one that the next start moves there."""
        for path in self.dir.glob("pcn/*.pcn"):
            self.assertTrue(path.read_text().endswith("."), path)
        for path in self.dir.glob("verified/*.json"):
            json.loads(path.read_text())
        lines = read(self.dir / "record.csv") if (self.dir / "record.csv").exists() else []
        for line in lines:
            records.check(line)
            places = self.dir.glob(f"**/pcn/{line['material']}.pcn")
            self.assertIn(line["sha256"], [records.sha256(place) for place in places])
        return lines

    def assert_finished(self, bytes_by_table):
        self.assertEqual({line["material"]: int(line["bytes"]) for line in self.assert_whole()}, bytes_by_table)
        for table, size in bytes_by_table.items():
            self.assertEqual((self.dir / f"pcn/{table}.pcn").stat().st_size, size)
        left = [path for path in self.dir.glob("**/*") if path.name.endswith((".new", ".tmp")) or path.name == "work"]
        self.assertEqual(left, [])


class Steps(Directory):
    def test_missing_tables_are_made_in_order_of_bytes_saved(self):
        done = self.go_on("--most-effort", 1)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], MADE)
        self.assertEqual(self.called("minimize"), MADE)
        self.assertEqual(self.called("generate"), ["KvK", *MADE])
        self.assert_finished({table: TABLES[table][1][0] for table in MADE})

    def test_higher_efforts_keep_the_smallest_and_are_not_repeated(self):
        self.go_on("--most-effort", 3)
        self.assert_finished(ALL_3)
        efforts = {line["material"]: line["effort"] for line in read(self.dir / "record.csv")}
        self.assertEqual(efforts, {"KRvKN": "2", "KQvKR": "3", "KQvKQ": "1", "KQvK": "3"})
        made = self.called("minimize")
        self.go_on("--most-effort", 3)
        self.assertEqual(self.called("minimize"), made)

    def test_every_directory_of_syzygy_files_is_compared_with(self):
        directories = [self.at / "three", self.at / "four"]
        for directory in directories:
            directory.mkdir()
            (directory / "KQvK.rtbw").touch()
        self.go_on("--most-effort", 1, *(word for directory in directories for word in ("--syzygy", directory)), targets=["KQvK"])
        [line] = read(self.dir / "record.csv")
        self.assertEqual(line["positions_compared_with_syzygy"], "2")

    def test_files_go_to_the_store_with_their_lines(self):
        tables = MADE[:3]
        self.go_on("--most-effort", 1, targets=tables)
        record, store = self.at / "four-men.csv", self.at / "store"
        (self.at / "four-men.md").write_text("<!-- figures -->\n<!-- end of figures -->\n")
        # A recorded table is made if its file is not stored, at the least effort, even if the recorded file is smaller.
        lines = read(self.dir / "record.csv")
        for line in lines:
            line["bytes"], line["ratio"] = "9", str(round(9 / int(line["syzygy_bytes"]), 4))
        write(record, lines)
        shutil.rmtree(self.dir)
        self.fake()
        for _ in range(2):
            self.go_on("--least-effort", 2, "--most-effort", 2, "--store", store, record=record, targets=tables)
        self.assertEqual(sorted(self.called("minimize")), sorted(tables))
        stored = {path.stem: path.stat().st_size for path in store.glob("*.pcn")}
        self.assertEqual(stored, {table: TABLES[table][1][1] for table in tables})
        self.assertEqual({line["material"]: int(line["bytes"]) for line in read(record)}, stored)
        self.assertIn("The files of 3 are in the repository", (self.at / "four-men.md").read_text())
        # A damaged file is named, but where it was made it is put right.
        words = ("--least-effort", 2, "--most-effort", 2, "--store", store)
        os.truncate(store / "KQvKR.pcn", 100)
        self.dir.rename(self.at / "made")
        done = self.go_on(*words, record=record, targets=tables, expect=3)
        self.assertIn("KQvKR.pcn is not the file of its line in the record", done.stderr)
        shutil.rmtree(self.dir)
        (self.at / "made").rename(self.dir)
        # As after a kill while a file was copied.
        (store / "KQvKQ.pcn.new").touch()
        self.go_on(*words, record=record, targets=tables)
        self.assertEqual({path.name: path.stat().st_size for path in store.iterdir()}, {f"{table}.pcn": size for table, size in stored.items()})

    def test_the_order_is_bytes_for_seconds(self):
        self.go_on("--most-effort", 1)
        lines = {line["material"]: line for line in read(self.dir / "record.csv")}
        # KQvKR is missing: 20496 - a ratio of (30000 + 150) / (100048 + 272) of it, 14336 bytes, and as many slots as the two
        # that took 4 s together. From effort 1 to 2 the bytes of KRvKN, 30000, become fewer by 1 - 194459/253227, 23.2 %, in
        # 100/41 times 2 s; those of KQvK, 150, too.
        lines["KRvKN"]["minimize_cpu_seconds"] = lines["KQvK"]["minimize_cpu_seconds"] = "2"
        write(self.at / "record.csv", [lines["KRvKN"], lines["KQvK"]])
        options = {"record": self.at / "record.csv", "directory": self.at / "other", "cubebase": str(self.cubebase)}
        options |= {"targets": ["KRvKN", "KQvKR", "KQvK"], "least_effort": 1, "most_effort": 2, "memory": "1G", "threads": 2, "anew": False, "store": None}
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        steps = campaign.Campaign(SimpleNamespace(**options)).steps()
        expected = [(14336 / 2, "KQvKR", 1), (30000 * 0.2321 / 4.878, "KRvKN", 2), (150 * 0.2321 / 4.878, "KQvK", 2)]
        self.assertEqual([step[1:] for step in steps], [step[1:] for step in expected])
        for (worth, *_), (right, *_) in zip(steps, expected):
            self.assertAlmostEqual(worth / right, 1, places=2)
        self.assertAlmostEqual(campaign.saved_by_effort(1, 3), 1 - 181617 / 253227)
        self.assertAlmostEqual(campaign.times_effort_1(4), 208 / 41 * (208 / 100))

    def test_tables_recorded_elsewhere_are_not_made_again(self):
        self.go_on("--most-effort", 1)
        shutil.copy(self.dir / "record.csv", self.at / "elsewhere.csv")
        shutil.rmtree(self.dir)
        self.fake()
        self.go_on("--most-effort", 2, record=self.at / "elsewhere.csv")
        self.assertEqual(len(self.called("minimize")), 4)
        # The file of KQvKQ is not smaller than the recorded one.
        self.assert_finished({"KRvKN": 29000, "KQvKR": 5000, "KQvK": 120})

    def test_all_are_made_anew(self):
        self.go_on("--most-effort", 1)
        shutil.copy(self.dir / "record.csv", self.at / "elsewhere.csv")
        shutil.rmtree(self.dir)
        self.go_on("--most-effort", 1, "--anew", record=self.at / "elsewhere.csv")
        self.assert_finished({table: TABLES[table][1][0] for table in MADE})

    def test_a_refused_table_and_one_without_outcomes_are_tried_once(self):
        self.fake(faults={"generate KQvKQ": (4, "is broken"), "refused": "KQvKR: it takes too much"})
        done = self.go_on("--most-effort", 3, expect=3)
        self.assertEqual(self.called("generate").count("KQvKQ"), 1)
        self.assertNotIn("KQvKR", self.called("minimize"))
        self.assertIn("go-on: KQvKR: it takes too much\n", done.stderr)
        self.assert_finished({"KRvKN": 29000, "KQvK": 110})

    def test_a_step_that_fails_is_passed_over(self):
        faults = {"minimize KQvKR": (3, "takes too much"), "generate KQvKQ": (4, "is broken")}
        self.fake(faults=faults)
        done = self.go_on("--most-effort", 1, expect=3)
        self.assert_finished({"KRvKN": 30000, "KQvK": 150})
        first, second = done.stderr.splitlines()
        log = self.dir / "logs/KQvKR-1-minimize.log"
        says = "minimize ended with exit status 3: cubebase: takes too much"
        self.assertEqual(first, f"go-on: KQvKR: {says}; see {log}")
        self.assertIn("takes too much", log.read_text())
        self.assertIn("KQvKQ: generate ended with exit status 4", second)
        self.fake()
        self.go_on("--most-effort", 1)
        self.assertEqual(self.called("minimize"), ["KQvKR", "KQvKQ"])

    def test_a_full_disk_ends_it(self):
        self.fake(faults={"minimize KQvKR": (3, "cannot write x: No space left on device (os error 28)")})
        done = self.go_on("--most-effort", 1, expect=3)
        self.assertRegex(done.stderr, r"\Ago-on: the disk is full: KQvKR: minimize .*\n\Z")
        self.assert_finished({"KRvKN": 30000})

    def test_a_file_that_its_check_finds_wrong_is_not_kept(self):
        self.fake(faults={"wrong KQvKR": 0, "minimize KQvK": (3, "is broken")})
        done = self.go_on("--most-effort", 1, expect=1)
        self.assertIn("KQvKR: verify ended with exit status 1: a position is answered wrongly", done.stderr)
        self.assert_finished({"KRvKN": 30000, "KQvKQ": 3000})

    def test_hours(self):
        done = self.go_on("--hours", 0)
        self.assertEqual(done.stdout + done.stderr, "")
        self.assertEqual(self.called("generate"), [])

    def test_two_runs_cannot_share_a_directory(self):
        self.dir.mkdir()
        with open(self.dir / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another go-on", self.go_on(expect=3).stderr)
        self.go_on("--most-effort", 1)

    def test_a_file_that_is_gone_or_changed_is_made_again(self):
        self.go_on("--most-effort", 1)
        (self.dir / "pcn/KQvK.pcn").unlink()
        (self.dir / "pcn/KQvKR.pcn").write_text("changed")
        self.fake()
        self.assertEqual(len(self.go_on("--most-effort", 1).stderr.splitlines()), 2)
        self.assertEqual(self.called("minimize"), ["KQvKR", "KQvK"])

    def test_usage_and_bad_input(self):
        for words in [
            ("--most-effort", 5),
            ("--cubebase", self.at / "none"),
            ("--hours", "nan"),
            ("--hours", -1),
            ("--syzygy", self.at),
        ]:
            self.go_on(*words, expect=2)
        for targets in (["KRvKQ"], ["kqvkr"], ["04"]):
            self.assertRegex(self.go_on(targets=targets, expect=2).stderr, rf"\Ago-on: {targets[0]}: [^\n]*\n\Z")
        self.fake(faults={"plan 9": (2, "too many men")})
        self.go_on(targets=["9"], expect=2)
        self.go_on("--cubebase", "/bin/true", expect=3)
        self.go_on(record=self.at / "none.csv", expect=3)
        self.assertEqual(list(self.dir.glob("*")), [])


class Killed(Directory):
    def test_killed_at_random_moments(self):
        self.fake(pause=0.02)
        record, store = self.at / "four-men.csv", self.at / "store"
        record.write_text(self.empty.read_text())
        (self.at / "four-men.md").write_text("<!-- figures -->\n<!-- end of figures -->\n")
        words, four_men = ("--most-effort", 3, "--store", store), MADE[:3]
        noise, finished = random.Random(30), {}
        for moment in range(20):
            command = self.command(*words, record=record, targets=four_men)
            process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
            time.sleep(0.1 + noise.random() * 0.6)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            now = {line["material"]: int(line["bytes"]) for line in self.assert_whole()}
            for table, size in finished.items():
                self.assertLessEqual(now.get(table, 1 << 40), size, f"{table} at moment {moment}")
            finished = now
        done = self.go_on(*words, record=record, targets=four_men)
        self.assertEqual(done.stderr, "")
        right = {table: ALL_3[table] for table in four_men}
        self.assert_finished(right)
        self.assertEqual({path.name: path.stat().st_size for path in store.iterdir()}, {f"{table}.pcn": size for table, size in right.items()})
        self.assertEqual({line["material"]: int(line["bytes"]) for line in read(record)}, right)

    def test_killed_before_each_file_gets_its_name(self):
        self.fake()
        code = """
import os, runpy, signal, sys
left, sys.argv, replace = int(sys.argv[1]), sys.argv[2:], os.replace
def replacing(*paths):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*paths)
os.replace = replacing
sys.path[0] = os.path.dirname(sys.argv[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""
        # Four files for effort 1, with tried.csv five for each of efforts 2 and 3.
        for left in range(1, 15):
            python, *command = self.command("--most-effort", 3, targets=["KQvKR"])
            killed = subprocess.run([python, "-c", code, str(left), *command], stdout=subprocess.DEVNULL, timeout=600)
            self.assertEqual(killed.returncode, -signal.SIGKILL)
            lines = self.assert_whole()
            kept = [[], ["6000"], ["5000"], ["4000"]][(left + 2) // 5]
            self.assertEqual([line["bytes"] for line in lines], kept)
            self.go_on("--most-effort", 3, targets=["KQvKR"])
            self.assert_finished({"KQvKR": 4000})
            shutil.rmtree(self.dir)

    def test_killed_between_the_line_and_its_file(self):
        self.go_on("--most-effort", 2)
        for kind in ("pcn/KQvKR.pcn", "verified/KQvKR.json"):
            (self.dir / "work/auto-2" / kind).parent.mkdir(parents=True)
            (self.dir / kind).rename(self.dir / "work/auto-2" / kind)
            (self.dir / kind).write_text("{}")
        self.fake()
        self.go_on("--most-effort", 2)
        self.assertEqual(self.called("minimize"), [])
        self.assert_finished({"KRvKN": 29000, "KQvKR": 5000, "KQvKQ": 3000, "KQvK": 120})
        self.assertIn("files", json.loads((self.dir / "verified/KQvKR.json").read_text()))

    def test_stopped_by_a_signal(self):
        self.fake(pause=30)
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen(self.command(), start_new_session=True, stderr=subprocess.PIPE, text=True)
            while not list(self.dir.glob("**/.unfinished-*")):
                time.sleep(0.02)
            process.send_signal(number)
            said = process.communicate(timeout=600)[1]
            self.assertEqual(process.returncode, 128 + number)
            self.assertEqual(said, f"go-on: stopped by {number.name}; the same command continues\n")
            self.assert_finished({})

    def test_a_record_of_another_version(self):
        self.go_on("--most-effort", 1)
        lines = read(self.dir / "record.csv")
        # When the record is rewritten, the column would be lost.
        before = (self.dir / "record.csv").read_text()
        after = "\n".join(f"{line},{'colour' if line.startswith('material') else 'red'}" for line in before.splitlines())
        (self.dir / "record.csv").write_text(f"{after}\n")
        self.assertIn("a column colour that is unknown", self.go_on(expect=3).stderr)
        self.assertEqual((self.dir / "record.csv").read_text(), f"{after}\n")
        # A truncated line.
        (self.dir / "record.csv").write_text(before[:-60])
        self.assertEqual(len(self.go_on(expect=3).stderr.splitlines()), 1)
        write(self.dir / "record.csv", [{column: of for column, of in line.items() if column == "material"} for line in lines])
        self.assertIn("no column model", self.go_on(expect=3).stderr)


class TakenIn(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.at = Path(made.name)
        for name in ("five-men.csv", "five-men.md"):
            shutil.copy(ROOT / "docs" / name, self.at)
        lines = read(self.at / "five-men.csv")
        self.line, self.taken_out = lines[0], lines[1]
        write(self.at / "five-men.csv", [lines[0], *lines[2:]])
        self.store = self.at / "store"
        self.store.mkdir()
        for path in (ROOT / "fixtures/five-men").glob("*.pcn"):
            if path.stem != self.taken_out["material"]:
                (self.store / path.name).symlink_to(path)
        self.take_in()

    def take_in(self, *words, expect=0):
        options = ["--record", self.at / "five-men.csv", "--text", self.at / "five-men.md"]
        options += ["--store", self.store]
        command = [sys.executable, PLACE / "take-in", *options, *words]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        self.assertEqual(done.returncode, expect, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1 if expect else 0, done.stderr)
        return done.stderr

    def both(self):
        return [(self.at / name).read_text() for name in ("five-men.csv", "five-men.md")]

    def with_line(self, **columns):
        line = self.line | columns
        if (columns.get("bytes") or "syzygy_bytes" in columns) and "ratio" not in columns:
            line["ratio"] = str(round(int(line["bytes"]) / int(line["syzygy_bytes"]), 4))
        write(self.at / "record.csv", [self.taken_out, line])
        return self.at / "record.csv"

    def test_the_page_is_that_of_the_record(self):
        done = subprocess.run([sys.executable, PLACE / "take-in", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_smallest_are_merged(self):
        before = self.both()
        self.assertIn("stale", self.take_in("--check", self.with_line(), expect=1))
        self.assertEqual(self.both(), before)
        name = f"{self.taken_out['material']}.pcn"
        (self.store / name).symlink_to(ROOT / "fixtures/five-men" / name)
        self.take_in(self.at / "record.csv")
        self.assertEqual(self.both(), [(ROOT / "docs" / name).read_text() for name in ("five-men.csv", "five-men.md")])
        smaller = str(int(self.line["bytes"]) - 1)
        self.take_in(self.with_line(bytes=smaller, sha256="0" * 64, effort="2"))
        merged = read(self.at / "five-men.csv")[0]
        self.assertEqual((merged["bytes"], merged["effort"]), (smaller, "2"))
        self.assertIn("| 1, 2 |", self.both()[1])
        before = self.both()
        self.take_in(ROOT / "docs/five-men.csv")
        self.take_in("--check", ROOT / "docs/five-men.csv")
        self.assertEqual(self.both(), before)

    def test_files_that_are_not_those_of_their_lines_are_named(self):
        for name, why in [("KBBBvK.pcn", "is not the file of its line"), ("KQQQQvK.pcn", "has no line")]:
            (self.store / name).unlink(missing_ok=True)
            (self.store / name).write_text("other")
            self.assertIn(f"{name} {why}", self.take_in("--check", expect=1))
            (self.store / name).unlink()

    def test_a_stale_page_is_found(self):
        path = self.at / "five-men.md"
        path.write_text(path.read_text().replace("| all |", "| nearly all |"))
        self.assertIn("five-men.md is stale", self.take_in("--check", expect=1))
        path.write_text(path.read_text().replace("<!-- figures -->", ""))
        self.take_in(expect=3)

    def test_lines_that_contradict_are_refused(self):
        line, before = self.line, self.both()
        more, fewer = str(int(line["bytes"]) + 1), str(int(line["bytes"]) - 1)
        swapped = {"white_wins": line["white_draws"], "white_draws": line["white_wins"]}
        for why, columns in [
            ("table_hash", {"table_hash": "0123456789abcdef"}),
            ("table_hash", {"table_hash": "0123456789abcdef", "sha256": "0" * 64, "bytes": more}),
            ("white_wins", swapped),
            ("white_wins", swapped | {"sha256": "0" * 64, "bytes": fewer}),
            ("syzygy_bytes", {"syzygy_bytes": "739601"}),
            ("bytes", {"bytes": fewer}),
            ("clauses", {"clauses": "3"}),
            ("positions_checked", {"positions_checked": "28017471"}),
            ("positions_checked", {"white_wins": "1"}),
            ("no sha256", {"sha256": ""}),
            ("no bytes", {"bytes": ""}),
            ("counted", {"black_wins": "", "black_draws": "", "black_losses": ""}),
            ("clauses is 'nan'", {"clauses": "nan"}),
            ("verify_cpu_seconds is '-1'", {"verify_cpu_seconds": "-1"}),
            ("minimize_cpu_seconds is 'inf'", {"minimize_cpu_seconds": "inf"}),
            ("ratio", {"ratio": "0.0006", "bytes": line["bytes"]}),
            ("ratio", {"ratio": ""}),
            ("material is", {"material": "../KQvK"}),
        ]:
            with self.subTest(why, **columns):
                self.assertIn(why, self.take_in(self.with_line(**columns), expect=1))
                self.assertEqual(self.both(), before)

    def test_lines_of_no_table_are_refused(self):
        for columns in ({"material": "KNvKBB"}, {"syzygy_bytes": "", "ratio": ""}):
            write(self.at / "record.csv", [self.taken_out | columns])
            self.assertIn("Syzygy has", self.take_in(self.at / "record.csv", expect=1))
        self.assertIn("no table of 4 men", self.take_in("--men", 4, expect=1))

    def test_of_two_lines_in_the_record_the_smaller_is_kept(self):
        path = self.at / "five-men.csv"
        larger = {"bytes": str(int(self.line["bytes"]) + 9), "sha256": "0" * 64}
        larger["ratio"] = str(round(int(larger["bytes"]) / int(self.line["syzygy_bytes"]), 4))
        lines = read(path)
        for two in ([self.line, self.line | larger], [self.line | larger, self.line]):
            write(path, [*two, *lines[1:]])
            self.take_in()
            self.assertEqual(read(path), lines)

    def test_records_that_contradict_each_other_are_refused(self):
        first = self.at / "first.csv"
        write(first, [self.taken_out])
        write(self.at / "second.csv", [self.taken_out | {"table_hash": "0123456789abcdef"}])
        self.assertIn("table_hash", self.take_in(first, self.at / "second.csv", expect=1))

    def test_a_record_of_another_version(self):
        write(self.at / "record.csv", [self.taken_out | {"colour": "red"}])
        self.take_in(self.at / "record.csv")
        write(self.at / "record.csv", [{column: of for column, of in self.taken_out.items() if column != "pages"}])
        self.assertIn("no column pages", self.take_in(self.at / "record.csv", expect=1))
        self.take_in(self.at / "none", expect=3)


if __name__ == "__main__":
    unittest.main()
