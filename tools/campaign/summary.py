"""The figures of a record for its page: sums by number of pawns, and the worst tables."""

WORST = 12


def men(line):
    return len(line["material"]) - 1


def number(value):
    return f"{value:,.0f}"


def sums(name, lines):
    def total(column):
        return sum(float(line[column] or 0) for line in lines)

    ours, theirs = total("bytes"), total("syzygy_bytes")
    seconds = sum(total(f"{stage}_cpu_seconds") for stage in ("generate", "minimize", "verify"))
    efforts = sorted({line["effort"] for line in lines})
    positions = sum(total(f"{side}_{what}") for side in ("white", "black") for what in ("wins", "draws", "losses"))
    return (
        f"| {name} | {len(lines)} | {', '.join(efforts)} | {number(positions)} | {number(ours)} | {number(theirs)} "
        f"| {ours / theirs:.3f} | {number(total('clauses'))} | {seconds / 3600:.1f} |"
    )


def markdown(lines):
    """The lines of the two tables."""
    yield "| tables | number | effort | positions | bytes | Syzygy | ratio | clauses | cpu hours |"
    yield "|---|---:|---|---:|---:|---:|---:|---:|---:|"
    for pawns in sorted({line["material"].count("P") for line in lines}):
        name = ("without pawns", "one pawn", "two pawns", "three pawns")[pawns]
        yield sums(name, [line for line in lines if line["material"].count("P") == pawns])
    yield sums("all", lines)
    yield ""
    yield "| worst | bytes | Syzygy | ratio | clauses | leaves with exceptions | first answer, ms |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for line in sorted(lines, key=lambda line: -float(line["ratio"] or 0))[:WORST]:
        wait = line["first_answer_milliseconds"]
        yield (
            f"| {line['material']} | {number(int(line['bytes']))} | {number(int(line['syzygy_bytes']))} | {line['ratio']} "
            f"| {number(int(line['clauses']))} | {number(int(line['leaves_with_exceptions']))} "
            f"| {wait and format(float(wait), '.3f')} |"
        )
