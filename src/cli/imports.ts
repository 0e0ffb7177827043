import { ConfigError } from '../config/setting-kinds.ts'
import { undoImport } from '../desk/importing/undo-import.ts'
import { clockOf } from '../startup/clock.ts'
import { openStore } from '../store/open.ts'
import type { ImportRun, Store } from '../store/store.ts'
import { changeLine, runLine, runText } from './import/run-text.ts'
import { commandActor, onRecord } from './on-record.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'

const USAGE = `incident-feed imports list                            list imports, newest first
incident-feed imports show imp_… [--incidents]        print the report of one; with what it did to each incident
incident-feed imports undo imp_… [--dry-run]          put every incident back to what it was before it

Undoing an import leaves incidents alone that an editor or a later import has changed since, and names them.`

const OPTIONS = {
  'database-url': { type: 'string' },
  incidents: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const
const PAGE = 1_000
/** An import that wrote something so recently is taken to be running still. */
const RUNNING_MS = 120_000

const ACTIONS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  list: listImports,
  show: showImport,
  undo: undo,
}

export async function importsCommand([action = '', ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (run === undefined)
    throw new ConfigError(`the actions of imports are ${Object.keys(ACTIONS).join(', ')}\n\n${USAGE}`)
  await run(args)
}

async function listImports(args: readonly string[]): Promise<void> {
  const { values } = parseOptions({ args: [...args], options: OPTIONS }, USAGE)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  let printed = 0
  for (let last: ImportRun | null = null; ; ) {
    const page: ImportRun[] = await store.imports.list(last, PAGE)
    for (const run of page) console.log(runLine(run))
    printed += page.length
    last = page.at(-1) ?? null
    if (page.length < PAGE) break
  }
  if (printed === 0) console.log('Nothing was imported yet; incident-feed import --help says how.')
}

async function showImport(args: readonly string[]): Promise<void> {
  const { values, id } = oneImport(args)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  console.log(runText(await requireImport(store, id)))
  if (!values.incidents) return
  for (let after: string | null = null; ; ) {
    const page = await store.imports.changes(id, after, PAGE)
    for (const change of page) console.log(changeLine(change))
    after = page.at(-1)?.incidentId ?? null
    if (page.length < PAGE) break
  }
  for (const { incidentId, otherId, score } of await store.imports.pairs(id, PAGE))
    console.log(`${incidentId}  seems to be the same event as ${otherId}, score ${score}`)
}

async function undo(args: readonly string[]): Promise<void> {
  const { values, id } = oneImport(args)
  const dryRun = values['dry-run'] ?? false
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const run = await requireImport(store, id)
  const clock = await clockOf(store)
  if (run.state === 'undone') throw new ConfigError(`${id} is undone already`)
  if (run.state === 'running' && clock() - run.updatedAt < RUNNING_MS)
    throw new ConfigError(`${id} is running: stop it first, or wait until it has ended`)
  if (!dryRun) {
    const act = { action: 'import.undo', subject: id, before: { state: run.state }, after: { state: 'undone_in_part' } }
    // On record before anything changes; each incident's own step is written with its change.
    await onRecord(store, act).imports.record(id, 'undone_in_part', run.report, clock())
  }
  const by = commandActor()
  const onRefused = (incidentId: string, reason: string) => console.log(`${incidentId} stays as it is: ${reason}`)
  const { restored, retracted, refused } = await undoImport({ store, run, by, clock, dryRun, onRefused })
  const number = (count: number) => count.toLocaleString('en')
  console.log(
    `${dryRun ? 'A dry run: this would be' : 'Undone:'} ${number(restored)} put back, ${number(retracted)} taken back, ${number(refused)} left as they are.`,
  )
  if (refused > 0) process.exitCode = 1
}

function oneImport(args: readonly string[]) {
  const { values, positionals } = parseOptions({ args: [...args], options: OPTIONS, allowPositionals: true }, USAGE)
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new ConfigError(`name one import\n\n${USAGE}`)
  return { values, id }
}

async function requireImport(store: Store, id: string): Promise<ImportRun> {
  const run = await store.imports.find(id)
  if (run === null)
    throw new ConfigError(`there is no import ${id.slice(0, 60)}; incident-feed imports list names them`)
  return run
}
