import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { ConfigError } from '../config/setting-kinds.ts'
import { ACLED_DATASET } from '../desk/importing/formats/acled.ts'
import { type Mapping, UnreadableFile } from '../desk/importing/formats/format.ts'
import { UCDP_DATASET } from '../desk/importing/formats/ucdp.ts'
import {
  type Checkpoint,
  checkpointIdFor,
  FORMATS,
  type FormatName,
  type ImportResult,
  importFile,
  type RunningImport,
  readCheckpoint,
  retryStore,
} from '../desk/importing/import.ts'
import { offerPairs } from '../desk/importing/offer-pairs.ts'
import { countRows, EMPTY_TALLY } from '../desk/importing/reconcile.ts'
import { RejectedRows } from '../desk/importing/rejected-rows.ts'
import { reliabilityFrom } from '../domain/confidence.ts'
import { newIdentifier } from '../domain/identifier.ts'
import type { ImportReport, ImportSettings } from '../domain/import-report.ts'
import { readBoundaries } from '../geo/boundaries.ts'
import { type Geography, openGeography } from '../geo/geography.ts'
import { randomBytes } from '../lib/runtime.ts'
import { clockOf } from '../startup/clock.ts'
import { type Incidents, type Store, StoreUnavailable } from '../store/store.ts'
import { requireDatabase } from './arguments.ts'
import { auditedStore, commandActor } from './audited-store.ts'
import { type Input, openInput } from './import-input.ts'
import { type ImportOptions, readImportOptions, USAGE } from './import-options.ts'
import { progressOn, reportText } from './import-report.ts'
import type { Terminal } from './terminal.ts'

/** As shells report it: 128 plus the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

const DATASETS: Readonly<Partial<Record<FormatName, string>>> = {
  ucdp: UCDP_DATASET.dataset,
  acled: ACLED_DATASET.dataset,
}

export async function importCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = readImportOptions(args, terminal.env)
  if (options === null) return terminal.print(USAGE)
  const signal = stopOnSignals(terminal)
  const input = await openInput(options.file, terminal, signal)
  const rejectedFile = rejectedFileOf(options)
  const geography = geographyOf(options, terminal)
  if (!options.dryRun && !options.create) await requireDatabase(options.config.DATABASE_URL)
  await using store = await terminal.openStore(options.dryRun ? existingDatabase(options) : options.config.DATABASE_URL)
  const ended = await run(options, input, rejectedFile, geography, store, terminal, signal)
  if (!ended.finished) {
    const { row } = ended.position ?? { row: 0 }
    terminal.printError(`Interrupted after row ${row.toLocaleString('en')}. ${howToContinue(options, input)}`)
    terminal.exitCode = EXIT_CODES[signal.reason as keyof typeof EXIT_CODES]
  }
  terminal.print(reportText(ended.tally, ended.importId, rejectedFile))
}

function stopOnSignals({ onSignal }: Terminal): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    onSignal(signal, () => {
      // The other of the two, as a second Ctrl-C, stops at once; written batches stay written.
      if (stopping.signal.aborted) process.exit(EXIT_CODES[signal])
      stopping.abort(signal)
    })
  }
  return stopping.signal
}

/** Defaults to a file beside the input; a dry run writes only a file that is named. */
function rejectedFileOf({ file, rejected, dryRun }: ImportOptions): string | null {
  if (rejected === null) return dryRun ? null : `${file === '-' ? 'stdin' : file}.rejected.ndjson`
  if (resolve(rejected) === resolve(file))
    throw new ConfigError('--rejected names the file to be imported; name another')
  return rejected
}

function geographyOf({ config }: ImportOptions, terminal: Terminal): Geography {
  const boundaries = config.LGA_BOUNDARIES === null ? null : readBoundaries(config.LGA_BOUNDARIES)
  for (const note of boundaries?.notes ?? []) terminal.printError(`LGA_BOUNDARIES: ${note}`)
  return openGeography(boundaries)
}

/** A dry run must not create a database: if there is none, it uses an empty one in memory. */
function existingDatabase({ config: { DATABASE_URL: url } }: ImportOptions): string {
  const path = /^sqlite:(?!:memory:)(.+)$/.exec(url)?.[1]
  return path !== undefined && !existsSync(path) ? 'sqlite::memory:' : url
}

async function run(
  options: ImportOptions,
  input: Input,
  rejectedFile: string | null,
  geography: Geography,
  store: Store,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ImportResult & { readonly importId: string | null }> {
  const { format, mapping, replace, dryRun } = options
  const id = input.identity === null || dryRun ? null : checkpointIdFor(format, mapping, replace, input.identity)
  const after = id === null ? null : await checkpointOf(store, id, options.fromStart)
  await using opened = new AsyncDisposableStack()
  const overlay = dryRun ? opened.use(await overlayOn(store, terminal)) : null
  const rejectedRows =
    rejectedFile === null ? null : opened.use(await RejectedRows.resume(rejectedFile, after?.rejectedBytes ?? 0))
  const publishers = await store.publishers.list()
  const rowsBefore = after === null ? 0 : countRows(after.tally)
  const pace = { size: input.identity?.size ?? null, rowsBefore, startedAt: Date.now() }
  const progress = progressOn(terminal.stderr, pace, Date.now)
  if (after !== null)
    progress.printLine(
      `Continuing after row ${after.position.row.toLocaleString('en')}, where the import was interrupted.`,
    )
  if (rejectedRows !== null && after !== null && rejectedRows.length < after.rejectedBytes)
    progress.printLine(
      `${rejectedRows.path} does not contain the rows rejected before; it will contain those from here on.`,
    )
  const clock = await clockOf(store)
  const importRun = dryRun ? null : await startRun(options, input, id, after, store, clock())
  try {
    const result = await importFile({
      format: FORMATS[format],
      open: input.open,
      mapping,
      replace,
      store: { incidents: (overlay ?? store).incidents, imports: store.imports },
      geography,
      reliability: reliabilityFrom(publishers.map(({ key, kind }) => [key, kind] as const)),
      clock,
      run: importRun,
      id,
      after,
      rejectedRows,
      signal,
      onProgress: progress.showProgress,
      onUnavailable: ({ message }, pause) => progress.printLine(`${message}; retrying in ${pause / 1000} s`),
    })
    if (importRun !== null) await recordEnd(importRun, result, input, store, terminal, clock)
    return { ...result, importId: importRun?.id ?? null }
  } catch (error) {
    // Says which file it was and how to continue.
    if (error instanceof UnreadableFile) throw new UnreadableFile(`${input.name}: ${error.message}`)
    if (error instanceof StoreUnavailable)
      throw new StoreUnavailable(`${error.message}. ${howToContinue(options, input)}`, { cause: error })
    throw error
  } finally {
    progress.clear()
  }
}

async function checkpointOf(store: Store, id: string, fromStart: boolean): Promise<Checkpoint | null> {
  if (fromStart) await store.imports.deleteCheckpoint(id)
  const kept = fromStart ? null : await store.imports.findCheckpoint(id)
  return kept === null ? null : readCheckpoint(kept)
}

/** A temporary store over the real one, on disk: an id may occur again a million rows later. */
async function overlayOn(
  store: Store,
  terminal: Terminal,
): Promise<AsyncDisposable & { readonly incidents: Pick<Incidents, 'findRecords' | 'save'> }> {
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-dry-run-'))
  const scratch = await terminal.openStore(`sqlite:${join(folder, 'scratch.db')}`)
  return {
    incidents: {
      async findRecords(ids) {
        const over = await scratch.incidents.findRecords(ids)
        const hidden = new Set(over.map(({ incident }) => incident.id))
        const under = await store.incidents.findRecords(ids.filter((id) => !hidden.has(id)))
        return [...over, ...under]
      },

      /** To the temporary store, an incident of the real one is new. */
      async save(changes, now) {
        const records = await scratch.incidents.findRecords(changes.map(({ incident }) => incident.id))
        const there = new Set(records.map(({ incident }) => incident.id))
        const rebased = changes.map((change) => {
          const isThere = there.has(change.incident.id)
          there.add(change.incident.id)
          return isThere ? change : { ...change, replaces: { version: 0 } }
        })
        return scratch.incidents.save(rebased, now)
      },
    },
    async [Symbol.asyncDispose]() {
      await scratch[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A new run, or the one that a checkpoint continues. */
async function startRun(
  { format, mapping, file, replace }: ImportOptions,
  input: Input,
  checkpoint: string | null,
  after: Checkpoint | null,
  store: Store,
  now: number,
): Promise<RunningImport> {
  const earlier = after === null ? null : await store.imports.find(after.runId)
  if (earlier !== null) return { id: earlier.id, report: earlier.report, begin: async () => {} }
  const id = after?.runId ?? newIdentifier('import', now, randomBytes)
  const digest = await input.digest()
  const report: ImportReport = {
    by: commandActor(),
    file: basename(file),
    bytes: digest?.bytes ?? null,
    sha256: digest?.sha256 ?? null,
    format,
    dataset: DATASETS[format] ?? mapping.constants.get('dataset') ?? null,
    settings: settingsOf(mapping, replace),
    tally: EMPTY_TALLY,
    checkpoint,
    duplicatePairs: null,
    undo: null,
  }
  const act = { action: 'import.run', subject: id, after: { file: report.file, sha256: report.sha256, format } }
  const started = { id, startedAt: now, updatedAt: now, state: 'running', report } as const
  return { id, report, begin: () => auditedStore(store, act).imports.begin(started) }
}

function settingsOf(mapping: Mapping, replace: boolean): ImportSettings {
  const values = Object.fromEntries([...mapping.values].map(([field, pairs]) => [field, Object.fromEntries(pairs)]))
  const { columns, constants } = mapping
  return { columns: Object.fromEntries(columns), values, constants: Object.fromEntries(constants), replace }
}

async function recordEnd(
  run: RunningImport,
  { finished, position, tally }: ImportResult,
  input: Input,
  store: Store,
  terminal: Terminal,
  clock: () => number,
): Promise<void> {
  // Stopped before its first batch, it is not stored.
  if (!finished && position === null) return
  const digest = run.report.sha256 === null ? await input.digest() : run.report
  const { bytes, sha256 } = digest ?? run.report
  const report = { ...run.report, bytes, sha256, tally }
  await retryStore(() => store.imports.record(run.id, finished ? 'finished' : 'interrupted', report, clock()), {})
  if (!finished) return
  const { offered, isCutShort } = await offerPairs({ id: run.id, report }, store, clock)
  if (isCutShort) terminal.printError('More incidents may be in other data sets than were compared or offered at once.')
  const whole = { ...report, duplicatePairs: offered }
  await retryStore(() => store.imports.record(run.id, 'finished', whole, clock()), {})
  if (offered > 0)
    terminal.print(
      `${offered.toLocaleString('en')} pairs with other data sets seem to be one event: imports show ${run.id} --incidents lists them, and editors can merge them.\n`,
    )
}

function howToContinue({ dryRun }: ImportOptions, { identity }: Input): string {
  if (dryRun) return 'Nothing was written.'
  return identity === null
    ? 'Imported rows stay imported. Run the command again with the whole input: those rows will be reported as unchanged.'
    : 'Run the same command again to continue from there.'
}
