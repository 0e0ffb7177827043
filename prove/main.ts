/**
 * What takes too long for every test run. Ends with 1 where a promise is broken.
 *
 *   npm run prove -- kill                  kill -9 at random moments, 50 times on each store
 *   npm run prove -- kill --rounds 200
 */
import { parseArgs } from 'node:util'
import { proveKill } from './kill.ts'

const PROOFS: Readonly<Record<string, (rounds: number) => Promise<boolean>>> = { kill: proveKill }

const options = { rounds: { type: 'string', default: '50' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const rounds = Number(values.rounds)
const unknown = positionals.filter((name) => !Object.hasOwn(PROOFS, name))
if (unknown.length > 0) throw new Error(`no proof ${unknown.join(', ')}; these are: ${Object.keys(PROOFS).join(', ')}`)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds takes a whole number, not ${values.rounds}`)

process.exitCode = 0
for (const name of positionals.length > 0 ? positionals : Object.keys(PROOFS)) {
  if (!(await PROOFS[name]!(rounds))) process.exitCode = 1
}
