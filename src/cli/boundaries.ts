import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { type BoundariesReport, checkBoundaries } from '../geo/boundaries/check.ts'
import { type FetchedBoundaries, fetchBoundaries } from '../geo/boundaries/fetch.ts'
import { boundaryLocate, estimatedLocate } from '../geo/locating/locate.ts'
import { openStore } from '../store/open.ts'
import { relocateArchive } from './relocate.ts'

const USAGE = 'incident-feed boundaries install [file|url] [--apply] [--database-url …] [--api …]'
const FILE = 'lga-boundaries.geojson'
/** So many complaints tell what is wrong with a file; hundreds more would hide it. */
const MOST_LINES = 20

export async function boundariesCommand([action, ...words]: readonly string[]): Promise<void> {
  if (action !== 'install') throw new ConfigError(`boundaries takes install\n\n${USAGE}`)
  const { from, apply, databaseUrl, api } = readWords(words)
  const { DATABASE_URL } = readConfig(process.env, databaseUrl ? ['--database-url', databaseUrl] : [])
  const fetched = await fetchBoundaries(from, api)
  const report = checkBoundaries(fetched.bytes)
  tell(fetched, report)
  if (!report.ok) throw new ConfigError('these boundaries were not installed')
  const path = join(folderOf(DATABASE_URL), FILE)
  await install(path, fetched, report)
  console.log(`Installed as ${path}. Start the service with LGA_BOUNDARIES=${path}`)
  await using store = await openStore(DATABASE_URL)
  const { found, changed } = await relocateArchive(
    store,
    boundaryLocate(report.matching!, estimatedLocate()),
    apply,
    Date.now,
  )
  console.log(
    apply
      ? `${changed} of ${found} incidents that change their LGA were corrected.`
      : `${found} incidents would change their LGA; --apply corrects them.`,
  )
}

function readWords(words: readonly string[]) {
  try {
    const options = { apply: { type: 'boolean' }, 'database-url': { type: 'string' }, api: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
    if (positionals.length > 1) throw new Error('one file or address at a time')
    return {
      from: positionals[0] ?? null,
      apply: values.apply ?? false,
      databaseUrl: values['database-url'],
      api: values.api,
    }
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\n\n${USAGE}`)
  }
}

function tell({ source, licence, edition }: FetchedBoundaries, report: BoundariesReport): void {
  console.log(`Source: ${source}`)
  if (edition !== null) console.log(`Edition: ${edition}`)
  console.log(`Licence: ${licence ?? 'not stated; see to it that you may use them'}`)
  console.log(`${report.polygons} areas, ${report.matched} matched to our LGAs, SHA-256 ${report.sha256}`)
  for (const [title, lines] of [
    ['Wrong', report.problems],
    ['Note', report.warnings],
  ] as const) {
    for (const line of lines.slice(0, MOST_LINES)) console.log(`${title}: ${line}`)
    if (lines.length > MOST_LINES) console.log(`${title}: and ${lines.length - MOST_LINES} more`)
  }
}

/** Beside the database: what belongs together is kept and backed up together. */
function folderOf(databaseUrl: string): string {
  const file = /^sqlite:(?!:memory:)(.+)$/.exec(databaseUrl)?.[1]
  return file === undefined ? 'data' : dirname(file)
}

/** Written whole or not at all: a service that starts meanwhile reads the old file or the new one. */
async function install(
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
