import { ConfigError } from '../config/setting-kinds.ts'
import { undoImport } from '../desk/importing/undo-import.ts'
import { clockOf } from '../startup/clock.ts'
import type { ImportChange, ImportRun, Store } from '../store/store.ts'
import { openStoreOf, parseOneArgument, parseOptions, runAction, STORE_OPTIONS } from './arguments.ts'
import { allRows, auditedStore, commandActor } from './audited-store.ts'
import { changeLine, runLine, runText } from './import-report.ts'
import type { Command, Terminal } from './terminal.ts'

const USAGE = `incident-feed imports list                            list imports, newest first
incident-feed imports show imp_… [--incidents]        print the report of one; with what it did to each incident
incident-feed imports undo imp_… [--dry-run]          put every incident back to what it was before it

Undoing an import leaves incidents alone that an editor or a later import has changed since, and names them.`

const OPTIONS = { ...STORE_OPTIONS, incidents: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const
const PAGE = 1_000
/** An import that wrote something so recently is taken to be running still. */
const RUNNING_MS = 120_000

const ACTIONS: Readonly<Record<string, Command>> = { list: listImports, show: showImport, undo: undo }

export function importsCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  return runAction('imports', ACTIONS, args, terminal, USAGE)
}

async function listImports(args: readonly string[], terminal: Terminal): Promise<void> {
  await using store = await openStoreOf(parseOptions(args, OPTIONS, USAGE), terminal)
  let printed = 0
  for await (const run of allRows<ImportRun>(PAGE, (last) => store.imports.list(last, PAGE))) {
    terminal.print(runLine(run))
    printed++
  }
  if (printed === 0) terminal.print('Nothing was imported yet; incident-feed import --help says how.')
}

async function showImport(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, given: id } = parseOneArgument(args, OPTIONS, 'name one import', USAGE)
  await using store = await openStoreOf(values, terminal)
  terminal.print(runText(await requireImport(store, id)))
  if (!values.incidents) return
  const pageAfter = (last: ImportChange | null) => store.imports.changes(id, last?.incidentId ?? null, PAGE)
  for await (const change of allRows(PAGE, pageAfter)) terminal.print(changeLine(change))
  for (const { incidentId, otherId, score } of await store.imports.pairs(id, PAGE))
    terminal.print(`${incidentId}  seems to be the same event as ${otherId}, score ${score}`)
}

async function undo(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, given: id } = parseOneArgument(args, OPTIONS, 'name one import', USAGE)
  const dryRun = values['dry-run'] ?? false
  await using store = await openStoreOf(values, terminal)
  const run = await requireImport(store, id)
  const clock = await clockOf(store)
  if (run.state === 'undone') throw new ConfigError(`${id} is undone already`)
  if (run.state === 'running' && clock() - run.updatedAt < RUNNING_MS)
    throw new ConfigError(`${id} is running: stop it first, or wait until it has ended`)
  if (!dryRun) {
    const act = { action: 'import.undo', subject: id, before: { state: run.state }, after: { state: 'undone_in_part' } }
    // On record before anything changes; each incident's own step is written with its change.
    await auditedStore(store, act).imports.record(id, 'undone_in_part', run.report, clock())
  }
  const by = commandActor()
  const onRefused = (incidentId: string, reason: string) => terminal.print(`${incidentId} stays as it is: ${reason}`)
  const { restored, retracted, refused } = await undoImport({ store, run, by, clock, dryRun, onRefused })
  const number = (count: number) => count.toLocaleString('en')
  terminal.print(
    `${dryRun ? 'A dry run: this would be' : 'Undone:'} ${number(restored)} put back, ${number(retracted)} taken back, ${number(refused)} left as they are.`,
  )
  if (refused > 0) terminal.exitCode = 1
}

async function requireImport(store: Store, id: string): Promise<ImportRun> {
  const run = await store.imports.find(id)
  if (run === null)
    throw new ConfigError(`there is no import ${id.slice(0, 60)}; incident-feed imports list names them`)
  return run
}
