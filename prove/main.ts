/**
 * Breaks things on purpose and counts what is lost. Ends with 1 where a promise is broken.
 *
 *   npm run prove                          every proof
 *   npm run prove -- kill                  these only
 *   npm run prove -- kill --rounds 200     so often
 */
import { parseArgs } from 'node:util'
import { clock } from './faults/clock.ts'
import { flood } from './faults/flood.ts'
import { hanging } from './faults/hanging.ts'
import { kill } from './faults/kill.ts'
import { postgresKill } from './faults/postgres-kill.ts'
import { promotion } from './faults/promotion.ts'
import { type Finding, isSound, type Proof } from './proof.ts'
import { tableOf } from './table.ts'

const PROOFS: Readonly<Record<string, Proof>> = {
  kill,
  'postgres-kill': postgresKill,
  promotion,
  clock,
  hanging,
  flood,
}

const { values, positionals } = parseArgs({ options: { rounds: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !Object.hasOwn(PROOFS, name))
if (unknown.length > 0) throw new Error(`no proof ${unknown.join(', ')}; these are: ${Object.keys(PROOFS).join(', ')}`)
const rounds = values.rounds === undefined ? null : Number(values.rounds)
if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0))
  throw new Error(`--rounds takes a whole number, not ${values.rounds}`)

const everyProof = Object.keys(PROOFS).filter((name) => !PROOFS[name]!.onlyByName)
const found: [string, Finding][] = []
const began = performance.now()
for (const name of positionals.length > 0 ? positionals : everyProof) {
  const proof = PROOFS[name]!
  console.error(`${name}: ${proof.what} …`)
  for (const finding of await proof.run(rounds ?? proof.rounds)) found.push([name, finding])
}
console.log(tableOf(found))
console.log(`\n${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
process.exitCode = found.every(([, finding]) => isSound(finding)) ? 0 : 1
