// Times probes in WebAssembly and natively, alternating, and compares the medians: node bench.cjs POSITIONS NATIVE [ORIGIN], with
// prober.js beside it. With ORIGIN, the comment lines at the top of a record, it prints CSV.

const {execFileSync} = require("node:child_process")
const {readFileSync} = require("node:fs")
const {Sample} = require("./prober.js")

const [positions, native, origin] = process.argv.slice(2)
const sample = new Sample(readFileSync(positions, "utf8"))
const wins = sample.wins()

function nanoseconds() {
    const start = process.hrtime.bigint()
    for (let round = 0; round < 20; round++) sample.wins()
    return Number(process.hrtime.bigint() - start) / 20 / sample.size()
}

const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1]

// The first rounds run before the code has been optimized.
for (let round = 0; round < 10; round++) nanoseconds()
const [ours, theirs] = [[], []]
for (let round = 0; round < 9; round++) {
    ours.push(median(Array.from({length: 10}, nanoseconds)))
    const [time, count] = execFileSync(native, [positions], {encoding: "utf8"}).split(" ").map(Number)
    if (count !== wins) throw new Error(`${wins} wins in WebAssembly, ${count} natively`)
    theirs.push(time)
}
const ratio = median(ours) / median(theirs)
if (origin) {
    const line = (of, times) => [of, ...[Math.min(...times), median(times), Math.max(...times)].map(time => time.toFixed(1))].join()
    console.log([origin, "of,min_ns,median_ns,max_ns", line("webassembly", ours), line("native", theirs)].join("\n"))
    console.log(`# ratio of the medians: ${ratio.toFixed(2)}`)
} else {
    console.log(`${sample.size()} positions, nanoseconds a probe, median of 9:`)
    console.log(`WebAssembly ${median(ours).toFixed(1)}, native ${median(theirs).toFixed(1)}, ratio ${ratio.toFixed(2)}`)
}
if (ratio > 2.5) process.exitCode = 1
