import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/setting-kinds.ts'
import { boundaryLocate, estimatedLocate } from '../geo/geography.ts'
import {
  type BoundariesReport,
  checkBoundaries,
  type FetchedBoundaries,
  fetchBoundaries,
} from '../geo/install-boundaries.ts'
import { clockOf } from '../startup/clock.ts'
import { openStore } from '../store/open.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'
import { relocateArchive } from './relocate.ts'

const USAGE = 'incident-feed boundaries install [file|url] [--apply] [--database-url …] [--api …]'
const FILE = 'lga-boundaries.geojson'
/** Enough messages to see what is wrong with a file; hundreds more would hide it. */
const MAX_LINES = 20

export async function boundariesCommand([action, ...args]: readonly string[]): Promise<void> {
  if (action !== 'install') throw new ConfigError(`the only action of boundaries is install\n\n${USAGE}`)
  const { from, apply, databaseUrl, api } = readOptions(args)
  const fetched = await fetchBoundaries(from, api)
  const report = checkBoundaries(fetched.bytes)
  printReport(fetched, report)
  if (!report.ok) throw new ConfigError('the boundaries were not installed: correct the problems above')
  const path = join(folderOf(databaseUrl), FILE)
  await writeBoundaries(path, fetched, report)
  console.log(`Installed as ${path}. Start the service with LGA_BOUNDARIES=${path}`)
  await using store = await openStore(databaseUrl)
  const { found, changed } = await relocateArchive(
    store,
    boundaryLocate(report.matching!, estimatedLocate()),
    apply,
    await clockOf(store),
  )
  console.log(
    apply
      ? `${changed} of ${found} incidents whose LGA changes were corrected.`
      : `${found} incidents would get another LGA; correct them with --apply.`,
  )
}

function readOptions(args: readonly string[]) {
  const options = { apply: { type: 'boolean' }, 'database-url': { type: 'string' }, api: { type: 'string' } } as const
  const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true }, USAGE)
  if (positionals.length > 1) throw new ConfigError(`name one file or address\n\n${USAGE}`)
  return {
    from: positionals[0] ?? null,
    apply: values.apply ?? false,
    databaseUrl: databaseUrlFrom(values['database-url']),
    api: values.api,
  }
}

function printReport({ source, licence, edition }: FetchedBoundaries, report: BoundariesReport): void {
  console.log(`Source: ${source}`)
  if (edition !== null) console.log(`Edition: ${edition}`)
  console.log(`Licence: ${licence ?? 'not stated; check that you may use them'}`)
  console.log(`${report.polygons} areas, ${report.matched} matched to known LGAs, SHA-256 ${report.sha256}`)
  for (const [title, lines] of [
    ['Wrong', report.problems],
    ['Note', report.warnings],
  ] as const) {
    for (const line of lines.slice(0, MAX_LINES)) console.log(`${title}: ${line}`)
    if (lines.length > MAX_LINES) console.log(`${title}: and ${lines.length - MAX_LINES} more`)
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
