import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/setting-kinds.ts'
import { incidentsIn } from '../desk/importing/offer-pairs.ts'
import type { Incident } from '../domain/incident.ts'
import { boundaryLocate, estimatedLocate, type Locate } from '../geo/geography.ts'
import {
  type BoundariesReport,
  checkBoundaries,
  type FetchedBoundaries,
  fetchBoundaries,
  type Relocation,
  relocations,
} from '../geo/install-boundaries.ts'
import { timeText } from '../lib/time.ts'
import { clockOf } from '../startup/clock.ts'
import { type IncidentChange, StaleVersion, type Store } from '../store/store.ts'
import { databaseUrlFrom, parseArguments, requireDatabase, STORE_OPTIONS } from './arguments.ts'
import type { Terminal } from './terminal.ts'

const USAGE = 'incident-feed boundaries install [file|url] [--apply] [--database-url …] [--api …]'
const FILE = 'lga-boundaries.geojson'
/** Enough messages to see what is wrong with a file; hundreds more would hide it. */
const MAX_LINES = 20
/** Incidents corrected in one write. */
const BATCH = 500

export async function boundariesCommand([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  if (action !== 'install') throw new ConfigError(`the only action of boundaries is install\n\n${USAGE}`)
  const options = { ...STORE_OPTIONS, apply: { type: 'boolean' }, api: { type: 'string' } } as const
  const { values, positionals } = parseArguments(args, options, USAGE)
  if (positionals.length > 1) throw new ConfigError(`name one file or address\n\n${USAGE}`)
  const databaseUrl = databaseUrlFrom(values, terminal)
  if (!values.create) await requireDatabase(databaseUrl)
  const fetched = await fetchBoundaries(positionals[0] ?? null, values.api)
  const report = checkBoundaries(fetched.bytes)
  printReport(fetched, report, terminal)
  if (!report.ok) throw new ConfigError('the boundaries were not installed: correct the problems above')
  const path = join(folderOf(databaseUrl), FILE)
  await writeBoundaries(path, fetched, report)
  terminal.print(`Installed as ${path}. Start the service with LGA_BOUNDARIES=${path}`)
  await using store = await terminal.openStore(databaseUrl)
  const locate = boundaryLocate(report.matching!, estimatedLocate())
  const { found, changed } = await relocateArchive(store, locate, values.apply ?? false, await clockOf(store))
  terminal.print(
    values.apply
      ? `${changed} of ${found} incidents whose LGA changes were corrected.`
      : `${found} incidents would get another LGA; correct them with --apply.`,
  )
}

function printReport(
  { source, licence, edition }: FetchedBoundaries,
  report: BoundariesReport,
  { print }: Terminal,
): void {
  print(`Source: ${source}`)
  if (edition !== null) print(`Edition: ${edition}`)
  print(`Licence: ${licence ?? 'not stated; check that you may use them'}`)
  print(`${report.polygons} areas, ${report.matched} matched to known LGAs, SHA-256 ${report.sha256}`)
  for (const [title, lines] of [
    ['Wrong', report.problems],
    ['Note', report.warnings],
  ] as const) {
    for (const line of lines.slice(0, MAX_LINES)) print(`${title}: ${line}`)
    if (lines.length > MAX_LINES) print(`${title}: and ${lines.length - MAX_LINES} more`)
  }
}

/** Beside the database, so that both are kept and backed up together. */
function folderOf(databaseUrl: string): string {
  const file = /^sqlite:(?!:memory:)(.+)$/.exec(databaseUrl)?.[1]
  return file === undefined ? 'data' : dirname(file)
}

/** Writes atomically: a service that starts meanwhile reads the old file or the new one. */
async function writeBoundaries(
  path: string,
  { bytes, source, licence, edition }: FetchedBoundaries,
  { sha256 }: BoundariesReport,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.part`, bytes)
  await writeFile(
    `${path}.source.json`,
    `${JSON.stringify({ source, licence, edition, sha256, installed_at: new Date().toISOString() }, null, 2)}\n`,
  )
  await rename(`${path}.part`, path)
}

/** Counts the public incidents that `locate` puts in another LGA; with `apply`, corrects them. */
async function relocateArchive(store: Store, locate: Locate, apply: boolean, clock: () => number) {
  const { chunks } = await store.incidents.snapshot()
  let found = 0
  let changed = 0
  let batch: IncidentChange[] = []
  for await (const chunk of chunks) {
    for (const relocation of relocations(incidentsIn(chunk), locate)) {
      found++
      if (!apply) continue
      batch.push({ incident: corrected(relocation, clock()), event: 'incident.updated' })
      if (batch.length === BATCH) {
        changed += await save(store, batch, clock())
        batch = []
      }
    }
  }
  changed += await save(store, batch, clock())
  return { found, changed }
}

function corrected({ incident, state, lga }: Relocation<Incident>, now: number): Incident {
  return {
    ...incident,
    state: state.name,
    lga: lga.name,
    location: { ...incident.location, state_code: state.code, lga_code: lga.code, lga_basis: 'boundary' },
    updated_at: timeText(now),
    version: incident.version + 1,
  }
}

/** Saves a batch, without incidents changed meanwhile: the next run finds them. */
async function save(store: Store, changes: readonly IncidentChange[], now: number): Promise<number> {
  if (changes.length === 0) return 0
  try {
    await store.incidents.save(changes, now)
    return changes.length
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error
    const others = changes.filter(({ incident }) => incident.id !== error.incidentId)
    return save(store, others, now)
  }
}
