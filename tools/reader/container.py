"""The file: header, sections and their rules, bundles; and how a table answers."""

import zlib

import rights
from bytesource import Bytes, sealed
from chess import from_number
from clauses import Shape, clauses
from distances import Distances
from errors import Refused
from models import variables
from trees import Tree
from view import parts_of

OUTCOMES = {0: "loss", 2: "draw", 4: "win"}
CASTLING, KNOWS_RULE = 1, 2
# A tree's kinds, in the bits where clauses have their outcome.
PLAIN, EXCEPTING = 7, 6


class Section:
    """Clauses or a tree, and the turns that they are for."""

    def __init__(self, kind, codec, count, payload):
        self.turns = [turn for turn in (0, 1) if kind >> turn & 1]
        self.outcome = kind >> 2 & 7
        self.is_tree = kind >> 5 & 1
        self.codec, self.count, self.payload = codec, count, payload
        self.content = None
        self.is_rule_tree = False


class Table:
    """One .pcn file."""

    def __init__(self, data):
        if data[:2] not in (b"\xe7\x03", b"\xe7\x04", b"\xe7\x07"):
            known = data[:1] == b"\xe7" and data[1:2] < b"\x20"
            raise Refused("a version that this reader does not know" if known else "not a .pcn file")
        self.read(data)
        self.check_sides()
        self.check_sections()
        self.shape = Shape([variable.parts for variable in self.variables])
        for section in self.sections:
            if section.is_tree:
                excepting = section.outcome == EXCEPTING
                section.content = Tree(self.shape.parts, section.codec, excepting, section.payload)
                if section.is_rule_tree and 0 in section.content.outcomes():
                    raise Refused("a rule tree that states a loss")
            else:
                section.content = clauses(self.shape, section.codec, section.count, section.payload)
        self.restricted = {}

    def read(self, data):
        source = sealed(data)
        version = source.take(2)[1]
        flags = source.byte() if version == 7 else {3: KNOWS_RULE, 4: KNOWS_RULE | CASTLING}[version]
        if flags & ~(CASTLING | KNOWS_RULE):
            raise Refused("flags that this reader does not know")
        self.knows_rule = bool(flags & KNOWS_RULE)
        # Whether there must be rule trees: without any the version is 3 or 4.
        self.expects_rule_trees = version == 7 and self.knows_rule
        model = source.byte()
        self.material = from_number(source.number())
        source.take(8)
        sides = [source.byte() for _ in self.material.turns]
        if any(side >> 3 != 7 for side in sides):
            raise Refused("a side byte with reserved bits")
        self.leads = [side & 7 for side in sides]
        self.variables = variables(model & 31, model >> 5, self.material)
        self.sections, self.rights, self.rule_trees = [], None, {}
        while source.at < len(source.data):
            kind = source.byte()
            if kind == 0 and flags & CASTLING:
                self.rights = rights.listed(source.take(source.number()), self.material)
                if source.at < len(source.data):
                    raise Refused("something after the castling rights")
                break
            is_tree, codec, outcome = kind >> 5 & 1, kind >> 6, kind >> 2 & 7
            tree_fits = codec != 1 and outcome in (PLAIN, EXCEPTING) and kind & 3 in (1, 2)
            if is_tree and not tree_fits or not is_tree and codec > 1:
                raise Refused("a section of a kind that this reader does not know")
            count = 0 if is_tree else source.number()
            self.sections.append(Section(kind, codec, count, source.take(source.number())))
        if flags & CASTLING and self.rights is None:
            raise Refused("no castling rights, where there must be some")

    def check_sides(self):
        if any(lead >= len(self.material.men) for lead in self.leads):
            raise Refused("an anchor that the material does not have")

    def check_sections(self):
        for section in self.sections:
            if not section.turns or any(turn not in self.material.turns for turn in section.turns):
                raise Refused("a section without a turn, or for a turn that the file does not have")
            if not section.is_tree:
                if section.outcome not in OUTCOMES:
                    raise Refused("a section of a kind that this reader does not know")
                if not 1 <= section.count <= 1 << 26:
                    raise Refused("a section without clauses or of too many")
        kinds = [(section.turns, section.outcome) for section in self.sections if not section.is_tree]
        if any(kind in kinds[:i] for i, kind in enumerate(kinds)):
            raise Refused("two sections of the same turns and outcome")
        trees = []
        for section in self.sections:
            if section.is_tree and section.turns[0] in trees:
                section.is_rule_tree = True
                if section.turns[0] in self.rule_trees or not self.expects_rule_trees:
                    raise Refused("more trees for a turn than the file may have")
                self.rule_trees[section.turns[0]] = section
            elif section.is_tree:
                trees.append(section.turns[0])
        if self.expects_rule_trees and not self.rule_trees:
            raise Refused("no rule tree, where there must be one")
        if trees:
            if len(trees) + len(self.rule_trees) < len(self.sections) or sorted(trees) != list(self.material.turns):
                raise Refused("trees, but not one for each side and nothing else")
            return
        for turn in self.material.turns:
            outcomes = [section.outcome for section in self.speaking(turn)]
            runs = [o for i, o in enumerate(outcomes) if i == 0 or outcomes[i - 1] != o]
            if len(set(runs)) != len(runs):
                raise Refused("sections of one outcome are not neighbours")

    def speaking(self, turn):
        return [section for section in self.sections if turn in section.turns]

    # ------------------------------------------------------------------------------------------------- answers

    def answer(self, position):
        """The outcome of a position of this material, as a word."""
        turn = position.turn
        if position.rights:
            if self.rights is None:
                raise Refused("castling rights, and the file has none")
            found = self.rights.get((position.rights, turn, rights.number(position)))
            if found is not None:
                return OUTCOMES[found]
        position, part_of = self.canonical(position)
        for section in self.speaking(turn):
            if section.is_tree:
                return OUTCOMES[section.content.outcome(part_of, position.squares, position.en_passant)]
        return OUTCOMES[self.from_covers(turn, part_of)]

    def answer_under_rule(self, position):
        """The outcome of a position of this material under the 50-move rule, as a word."""
        outcome = self.answer(position)
        if outcome == "draw":
            return outcome
        if position.rights or not self.knows_rule:
            raise Refused("no outcome under the 50-move rule")
        section = self.rule_trees.get(position.turn)
        if section is None:
            return outcome
        position, part_of = self.canonical(position)
        stated = section.content.outcome(part_of, position.squares, position.en_passant)
        return outcome if OUTCOMES[stated] == "win" else {"win": "cursed-win", "loss": "blessed-loss"}[outcome]

    def canonical(self, position):
        """The canonical position, and its parts."""
        position = position.canonical(self.leads[self.material.turns.index(position.turn)])
        return position, parts_of(self.variables, self.material, position)

    def from_covers(self, turn, part_of):
        sections = self.speaking(turn)
        if turn not in self.restricted:
            # Only variables that some clause restricts can matter.
            used = range(len(self.variables))
            every = [clause for section in sections for clause in section.content]
            self.restricted[turn] = [v for v in used if any(self.shape.alls[v] & ~clause for clause in every)]
        minterm = 0
        for v in self.restricted[turn]:
            minterm |= 1 << (self.shape.starts[v] + part_of(v))
        for section in sections:
            if any(clause & minterm == minterm for clause in section.content):
                return section.outcome
        raise Refused("no clause contains the position")


class Bundle:
    """Many tables in one file, each read when it is first needed."""

    def __init__(self, data):
        source = Bytes(data)
        source.take(4)
        version = source.byte()
        if version not in (1, 2, 3):
            raise Refused("a bundle of a version that this reader does not know")
        self.kind = (Table, Distances, Distances)[version - 1]
        entries = []
        for _ in range(source.number(63)):
            entries.append((from_number(source.number()), source.number(63)))
        end = source.at
        if zlib.crc32(data[:end]) != int.from_bytes(source.take(4), "little"):
            raise Refused("the bundle's checksum is wrong")
        order = [(len(material.men), material.signature) for material, _ in entries]
        if any(not a < b for a, b in zip(order, order[1:])):
            raise Refused("a bundle's materials do not ascend")
        self.pieces = {material.signature: source.take(length) for material, length in entries}
        if source.at != len(data):
            raise Refused("bytes after the last table of a bundle")
        self.tables = {}

    def has(self, signature):
        return signature in self.pieces

    def table(self, signature):
        if signature not in self.tables:
            table = self.kind(self.pieces[signature])
            if table.material.signature != signature:
                raise Refused("a table of another material than its entry's")
            self.tables[signature] = table
        return self.tables[signature]


class Single:
    """A file of one table, which is read at once."""

    def __init__(self, data):
        self.only = (Distances if data[:2] in (b"\xe7\x06", b"\xe7\x08") else Table)(data)

    def has(self, signature):
        return signature == self.only.material.signature

    def table(self, signature):
        return self.only


def open_file(path):
    with open(path, "rb") as file:
        data = file.read()
    return Bundle(data) if data[:4] == b"\xe7PCB" else Single(data)
