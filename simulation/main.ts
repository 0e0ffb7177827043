import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Step } from './actions.ts'
import { startPostgres } from './postgres.ts'
import { type Options, planOf, type Result, run } from './run.ts'

/** Runs one seed, or several; a seed that fails is shrunk to the steps that it needs. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** Runs this many seeds, from `seed` on. */
    seeds: { type: 'string', default: '1' },
    years: { type: 'string', default: '10' },
    nodes: { type: 'string', default: '3' },
    /** Of the nodes: `sqlite`, or `postgres` on a server that it starts. */
    store: { type: 'string', default: 'sqlite' },
    /** By default 2,100 a year. */
    incidents: { type: 'string' },
    /** Ends with the first seed that fails. */
    'fail-fast': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
  },
})

/** Of shrinking. */
const MOST_RUNS = 80

const first = wholeNumber('seed', values.seed)
const seeds = wholeNumber('seeds', values.seeds)
let failed = 0
if (seeds === 1) {
  const years = Number(values.years)
  const incidents =
    values.incidents === undefined ? Math.ceil(years * 2100) : wholeNumber('incidents', values.incidents)
  const nodes = wholeNumber('nodes', values.nodes)
  const store = values.store === 'postgres' ? { openDatabase: await startPostgres() } : {}
  if (!(await passes({ seed: first, years, nodes, incidents, ...store }))) failed++
} else {
  // Each in a process of its own: what one leaves in memory slows down no other.
  for (let seed = first; seed < first + seeds && (failed === 0 || !values['fail-fast']); seed++) {
    const own = [...process.argv.slice(2), '--seed', String(seed), '--seeds', '1']
    const { status } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, ...own], {
      stdio: 'inherit',
    })
    if (status !== 0) failed++
  }
  console.error(`${failed} of ${seeds} seeds failed`)
}
// Nodes that died in the simulation still wait for answers that never come.
process.exit(failed === 0 ? 0 : 1)

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  console.error(`--${name} must be a whole number, not ${JSON.stringify(text)}.`)
  process.exit(2)
}

async function passes(options: Options): Promise<boolean> {
  const before = process.cpuUsage()
  const steps = planOf(options)
  const { failure, counts } = await run(steps, options, (line) => void (values.trace && console.log(line)))
  const { user, system } = process.cpuUsage(before)
  const { days, incidents, watches, messages, requests, comparisons } = counts
  console.error(
    `seed ${options.seed}: ${days} days, ${incidents} incidents, ${watches} watches, ${messages} messages, ${requests} requests, ${comparisons} comparisons, ${((user + system) / 1e6).toFixed(1)} s of processor time: ${failure === null ? 'passed' : 'FAILED'}`,
  )
  if (failure === null) return true
  console.error(failure)
  if (!values['no-shrink']) await printShortest(steps, options, failure, days)
  return false
}

/** The shortest schedule that still fails in the same way, step by step as it happened. */
async function printShortest(steps: readonly Step[], options: Options, failure: Error, lastDay: number): Promise<void> {
  const failsAgain = async (fewer: readonly Step[]) => {
    const result = await run(fewer, options, () => {})
    return isSame(result, failure)
  }
  const shortest = await shrink(
    steps.filter(({ day }) => day <= lastDay),
    failsAgain,
  )
  console.error(`${shortest.length} of ${steps.length} steps are enough:`)
  await run(shortest, options, (line) => console.error(line))
}

function isSame({ failure }: Result, other: Error): boolean {
  const kindOf = ({ message }: Error) => message.replaceAll(/\d+|[{[].*/gs, '').slice(0, 60)
  return failure !== null && kindOf(failure) === kindOf(other)
}

/** Leaves out ever smaller parts, as long as it fails without them. */
async function shrink(
  steps: readonly Step[],
  failsAgain: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let left = steps
  let runs = 0
  for (let size = Math.ceil(left.length / 2); size >= 1 && runs < MOST_RUNS; size = Math.floor(size / 2)) {
    for (let start = left.length - size; start > -size && runs < MOST_RUNS; start -= size) {
      const fewer = left.toSpliced(Math.max(0, start), Math.min(size, size + start))
      runs++
      if (await failsAgain(fewer)) left = fewer
    }
  }
  return left
}
