import { parseArgs } from 'node:util'
import { planOf, run } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    years: { type: 'string', default: '10' },
    nodes: { type: 'string', default: '3' },
    incidents: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
})
const years = Number(values.years)
const options = {
  seed: Number(values.seed),
  years,
  nodes: Number(values.nodes),
  incidents: Number(values.incidents ?? years * 2000),
}
const lines: string[] = []
const { failure, counts } = await run(
  planOf(options),
  options,
  (line) => void (values.trace ? console.log(line) : lines.push(line)),
)
if (!values.trace && failure !== null) console.log(lines.slice(-40).join('\n'))
const { user, system } = process.cpuUsage()
console.error(JSON.stringify(counts), `${((user + system) / 1e6).toFixed(1)} s`)
if (failure !== null) console.error(failure)
process.exit(failure === null ? 0 : 1)
