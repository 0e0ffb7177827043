import type { Progress } from '../desk/importing/import.ts'
import { countRows } from '../desk/importing/reconcile.ts'
import { type ImportTally, OUTCOMES, type RowNote } from '../domain/import-report.ts'
import { timeText } from '../lib/time.ts'
import type { ImportChange, ImportRun } from '../store/store.ts'
import type { Screen } from './terminal.ts'

const number = (value: number) => value.toLocaleString('en')

/**
 * The report at the end of an import. `importId` is null after a dry run, of which nothing is kept;
 * `rejectedFile`, if rejected rows were not kept.
 */
export function reportText(tally: ImportTally, importId: string | null, rejectedFile: string | null): string {
  const { counts } = tally
  return [
    ...tallyLines(tally),
    ...(counts.rejected > 0 && rejectedFile !== null ? ['', `The rejected rows are in ${rejectedFile}`] : []),
    '',
    importId === null
      ? 'This was a dry run: nothing was written.'
      : `This was ${importId}: incident-feed imports show ${importId}`,
  ].join('\n')
}

function tallyLines(tally: ImportTally): string[] {
  const { counts, poorerFields } = tally
  const lines = [['read', countRows(tally)] as const, ...OUTCOMES.map((outcome) => [outcome, counts[outcome]] as const)]
  const width = Math.max(...lines.map(([, count]) => number(count).length))
  const fields = Object.entries(poorerFields).sort(([, one], [, other]) => other - one)
  return [
    ...lines.map(([name, count]) => `${name.padEnd(9)}  ${number(count).padStart(width)}`),
    ...notesOn('rejected', tally.rejected, counts.rejected),
    ...notesOn('kept as they are', tally.kept, counts.kept),
    ...(fields.length === 0 ? [] : ['', 'poorer than what is stored, and therefore not taken (--replace takes them):']),
    ...fields.map(([field, count]) => `  ${field}: ${number(count)}`),
    ...tally.poorer.map(lineOf),
  ]
}

function notesOn(title: string, notes: readonly RowNote[], count: number): string[] {
  if (notes.length === 0) return []
  const more = count > notes.length ? [`  and ${number(count - notes.length)} more`] : []
  return ['', `${title}:`, ...notes.map(lineOf), ...more]
}

function lineOf({ row, reason }: RowNote): string {
  return `  row ${row}: ${oneLine(reason)}`
}

/** Removes control characters: a reason may quote the file, which must not control the terminal. */
function oneLine(reason: string): string {
  return reason.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

/** One line of the list of imports. */
export function runLine({ id, startedAt, state, report }: ImportRun): string {
  const { counts } = report.tally
  const rows = `${number(countRows(report.tally))} rows: ${number(counts.new)} new, ${number(counts.updated)} updated`
  return oneLine(`${id}  ${timeText(startedAt)}  ${state}  ${report.format} ${report.file}  ${rows}`)
}

export function runText({ id, startedAt, updatedAt, state, report }: ImportRun): string {
  const { by, file, bytes, sha256, format, dataset, settings, duplicatePairs, undo } = report
  const used = Object.entries(settings).filter(([, value]) => value !== false && Object.keys(value).length !== 0)
  const facts: readonly (readonly [string, string | null])[] = [
    ['import', id],
    ['state', state],
    ['started', `${timeText(startedAt)} by ${by}`],
    ['last write', timeText(updatedAt)],
    ['file', `${file}${bytes === null ? '' : `, ${number(bytes)} bytes`}`],
    ['sha256', sha256],
    ['format', format],
    ['dataset', dataset],
    ['settings', used.length === 0 ? null : JSON.stringify(Object.fromEntries(used))],
    ['pairs', duplicatePairs === null ? null : `${number(duplicatePairs)} possible duplicates in other data sets`],
    ['undone', undo === null ? null : undoText(undo)],
  ]
  return [
    ...facts.flatMap(([name, value]) => (value === null ? [] : [oneLine(`${name.padEnd(11)}${value}`)])),
    '',
    ...tallyLines(report.tally),
  ].join('\n')
}

function undoText({ by, at, restored, retracted, refused }: NonNullable<ImportRun['report']['undo']>): string {
  const counts = `${number(restored)} put back, ${number(retracted)} taken back, ${number(refused)} left as they are`
  return `${timeText(at)} by ${by}: ${counts}`
}

/** One line about what an import made of one incident. */
export function changeLine(change: ImportChange): string {
  const { incidentId, outcome, version, poorerFields, undoneAt, laterImport } = change
  const poorer = poorerFields.length === 0 ? '' : `, kept its ${poorerFields.join(', ')}`
  const later = laterImport === null ? '' : `, changed later by ${laterImport}`
  const undone = undoneAt === null ? '' : `, undone ${timeText(undoneAt)}`
  return `${incidentId}  ${outcome}, version ${version}${poorer}${later}${undone}`
}

const TERMINAL_INTERVAL_MS = 200
const LOG_INTERVAL_MS = 10_000
/** Return to the beginning of the line, and clear what is left of the old text. */
const REWRITE = '\r'
const CLEAR_REST = '\x1b[K'

interface Pace {
  /** The size of the file in bytes; null if unknown. */
  readonly size: number | null
  /** The rows imported before this run. */
  readonly rowsBefore: number
  readonly startedAt: number
}

export function progressLine({ position, tally }: Progress, { size, rowsBefore, startedAt }: Pace, now: number) {
  const rows = countRows(tally)
  const rate = Math.round(((rows - rowsBefore) * 1000) / Math.max(1, now - startedAt))
  const percent = size === null || size === 0 ? [] : [`${Math.floor(((position?.offset ?? 0) / size) * 100)}%`]
  const counts = [`${number(rows)} rows`, `${number(rate)} rows/s`, `${number(tally.counts.rejected)} rejected`]
  return [...percent, ...counts].join('  ')
}

/** One line, rewritten on a terminal, repeated in a log; uses no colours, so ignores NO_COLOR. */
export function progressOn(screen: Screen, pace: Pace, clock: () => number) {
  let shownAt = pace.startedAt
  let isLineShown = false
  const clear = () => {
    if (isLineShown) screen.write(`${REWRITE}${CLEAR_REST}`)
    isLineShown = false
  }
  return {
    clear,
    showProgress(progress: Progress): void {
      const now = clock()
      if (now - shownAt < (screen.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS)) return
      shownAt = now
      const line = progressLine(progress, pace, now)
      if (!screen.isTTY) screen.write(`${line}\n`)
      // Leave the last column free: a terminal that wraps there would leave lines behind.
      else screen.write(`${REWRITE}${line.slice(0, (screen.columns ?? 80) - 1)}${CLEAR_REST}`)
      isLineShown = screen.isTTY ?? false
    },
    printLine(message: string): void {
      clear()
      screen.write(`${message}\n`)
    },
  }
}
