import { countRows } from '../../desk/importing/tally.ts'
import { type ImportTally, OUTCOMES, type RowNote } from '../../domain/import-report.ts'

export interface Reported {
  readonly tally: ImportTally
  /** Null in a dry run, of which nothing is kept. */
  readonly importId: string | null
  /** The file with the rejected rows; null if they were not kept. */
  readonly rejectedFile: string | null
}

const number = (value: number) => value.toLocaleString('en')

export function reportText({ tally, importId, rejectedFile }: Reported): string {
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

export function tallyLines(tally: ImportTally): string[] {
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
export function oneLine(reason: string): string {
  return reason.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}
