/**
 * Injects faults into a running service and counts lost, duplicated and unexpected deliveries.
 * Exits with code 1 if a scenario fails or cannot run. A run without arguments, or with --record,
 * writes its results into resilience/RESULTS.md.
 *
 *   npm run resilience                          all scenarios but the sabotages and soak
 *   npm run resilience -- kill                  the named scenarios only
 *   npm run resilience -- soak --record         also writes their results into RESULTS.md
 *   npm run resilience -- kill --rounds 200     the number of rounds
 *   npm run resilience -- kill --max-minutes 10 as many rounds as fit in each setup
 *   npm run resilience -- kill --quick          the form that takes seconds
 *   npm run resilience -- fuzz --seed 7         repeats the requests of an earlier run
 *   npm run resilience -- fuzz --operation readTrends  three in four requests go there
 *   npm run resilience -- sabotage --only lease the sabotages with that word in their name
 *   npm run resilience -- simulated-sabotage    the same table against the simulator
 *   npm run resilience -- soak --minutes 10     the duration
 *   npm run resilience -- soak --store postgres the store
 *   npm run resilience -- rolling --last 3d23857f  the last release, by commit or package
 */
import { parseArgs } from 'node:util'
import { readEnvironment } from '../bench/harness/environment.ts'
import { readRuns, recordRun, withPart } from './recorded-runs.ts'
import { formatTable, type NamedResult } from './results-table.ts'
import { hasPassed, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    'max-minutes': { type: 'string' },
    seed: { type: 'string' },
    store: { type: 'string' },
    only: { type: 'string' },
    operation: { type: 'string' },
    last: { type: 'string' },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: process.argv.length === 2 },
  },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name))
if (unknown.length > 0)
  throw new Error(`unknown scenario ${unknown.join(', ')}; the scenarios are ${Object.keys(SCENARIOS).join(', ')}`)
const rounds = readInteger('rounds', 1) ?? readInteger('minutes', 1)
const seed = readInteger('seed', 0)
const maxMinutes = readInteger('max-minutes', 1)
const { store } = values
if (store !== undefined && store !== 'sqlite' && store !== 'postgres')
  throw new Error(`--store must be sqlite or postgres, not ${store}`)
const { only, operation, last } = values
const options: ScenarioOptions = {
  ...(seed === null ? {} : { seed }),
  ...(maxMinutes === null ? {} : { maxMinutes }),
  ...(store === undefined ? {} : { store }),
  ...(only === undefined ? {} : { only }),
  ...(operation === undefined ? {} : { operation }),
  ...(last === undefined ? {} : { last }),
}

function readInteger(name: 'rounds' | 'minutes' | 'max-minutes' | 'seed', min: number): number | null {
  const text = values[name]
  if (text === undefined) return null
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value < 2 ** 31) return value
  throw new Error(`--${name} must be an integer from ${min} to 2147483647, not ${text}`)
}

/** An error fails the scenario, but not those after it. */
async function run(scenario: Scenario): Promise<readonly ScenarioResult[]> {
  try {
    return values.quick ? await scenario.quick!() : await scenario.run(rounds ?? scenario.rounds, options)
  } catch (error) {
    console.error(error)
    const check = { name: 'the scenario runs to its end', passed: false, observed: String(error).slice(0, 1000) }
    return [{ setup: 'all', times: 0, counts: null, checks: [check] }]
  }
}

const defaultNames = Object.keys(SCENARIOS).filter((name) => !SCENARIOS[name]!.onlyByName)
const { machine, commit } = readEnvironment()
const results: NamedResult[] = []
const startedAt = performance.now()
const minutesSince = (time: number) => (performance.now() - time) / 60_000
const date = new Date().toISOString().slice(0, 10)
for (const name of positionals.length > 0 ? positionals : defaultNames) {
  const scenario = SCENARIOS[name]!
  console.error(`${name}: ${scenario.description} …`)
  if (values.quick && scenario.quick === undefined) throw new Error(`${name} has no quick form`)
  const scenarioStartedAt = performance.now()
  const scenarioResults = await run(scenario)
  for (const result of scenarioResults) results.push([name, result])
  const minutes = minutesSince(scenarioStartedAt)
  if (values.record) {
    const recorded = { scenario: name, commit, machine, date, minutes, results: scenarioResults }
    const { merge } = scenario
    const earlier = readRuns().find((run) => run.scenario === name)
    const whole = only !== undefined && merge !== undefined ? withPart(earlier, recorded, merge) : recorded
    await recordRun(whole, Object.keys(SCENARIOS))
  }
}
console.log(formatTable(results))
console.log(`\n${minutesSince(startedAt).toFixed(1)} minutes`)
process.exitCode = results.every(([, result]) => hasPassed(result)) ? 0 : 1
