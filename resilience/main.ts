/**
 * Breaks things on purpose and counts what is lost. Ends with 1 where a promise is broken. Once every proof has run as it is, it
 * writes resilience/RESULTS.md.
 *
 *   npm run prove                          every proof
 *   npm run prove -- kill                  these only
 *   npm run prove -- kill --rounds 200     so often
 *   npm run prove -- fuzz --seed 7         the same requests again
 *   npm run prove -- soak --minutes 10     so long
 *   npm run prove -- soak --store postgres on that store
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { circumstances } from '../bench/circumstances.ts'
import { backup } from './faults/backup.ts'
import { clock } from './faults/clock.ts'
import { damagedStore } from './faults/damaged-store.ts'
import { flood } from './faults/flood.ts'
import { fullDisk } from './faults/full-disk.ts'
import { hanging } from './faults/hanging.ts'
import { kill } from './faults/kill.ts'
import { nodes } from './faults/nodes.ts'
import { postgresKill } from './faults/postgres-kill.ts'
import { promotion } from './faults/promotion.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { isSound, type Proof, type Wishes } from './proof.ts'
import { resultsPage } from './results-page.ts'
import { soak } from './soak/soak.ts'
import { type Found, tableOf } from './table.ts'

const RESULTS = new URL('RESULTS.md', import.meta.url)

const PROOFS: Readonly<Record<string, Proof>> = {
  kill,
  'postgres-kill': postgresKill,
  promotion,
  nodes,
  clock,
  'full-disk': fullDisk,
  'damaged-store': damagedStore,
  backup,
  hanging,
  flood,
  fuzz,
  soak,
}

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    store: { type: 'string' },
  },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !Object.hasOwn(PROOFS, name))
if (unknown.length > 0) throw new Error(`no proof ${unknown.join(', ')}; these are: ${Object.keys(PROOFS).join(', ')}`)
const rounds = whole('rounds', 1) ?? whole('minutes', 1)
const seed = whole('seed', 0)
const { store } = values
if (store !== undefined && store !== 'sqlite' && store !== 'postgres')
  throw new Error(`--store takes sqlite or postgres, not ${store}`)
const wishes: Wishes = { ...(seed === null ? {} : { seed }), ...(store === undefined ? {} : { store }) }

function whole(name: 'rounds' | 'minutes' | 'seed', least: number): number | null {
  const written = values[name]
  if (written === undefined) return null
  const value = Number(written)
  if (Number.isInteger(value) && value >= least && value < 2 ** 31) return value
  throw new Error(`--${name} takes a whole number, not ${written}`)
}

const everyProof = Object.keys(PROOFS).filter((name) => !PROOFS[name]!.onlyByName)
const { machine, commit } = circumstances()
const found: Found[] = []
const began = performance.now()
for (const name of positionals.length > 0 ? positionals : everyProof) {
  const proof = PROOFS[name]!
  console.error(`${name}: ${proof.what} …`)
  for (const finding of await proof.run(rounds ?? proof.rounds, wishes)) found.push([name, finding])
}
const minutes = (performance.now() - began) / 60_000
console.log(tableOf(found))
console.log(`\n${minutes.toFixed(1)} minutes`)
if (process.argv.length === 2) {
  writeFileSync(RESULTS, resultsPage(found, { machine, commit, minutes }))
  console.log(`written: ${fileURLToPath(RESULTS)}`)
}
process.exitCode = found.every(([, finding]) => isSound(finding)) ? 0 : 1
