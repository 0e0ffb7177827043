import { countRows, type ImportTally, OUTCOMES, type RowNote } from '../../intake/importing/outcome.ts'

export interface Reported {
  readonly tally: ImportTally
  readonly dryRun: boolean
  /** The file with the rejected rows; null if they were not kept. */
  readonly rejectedFile: string | null
}

const number = (value: number) => value.toLocaleString('en')

export function reportText({ tally, dryRun, rejectedFile }: Reported): string {
  const { counts } = tally
  const lines = [['read', countRows(tally)] as const, ...OUTCOMES.map((outcome) => [outcome, counts[outcome]] as const)]
  const width = Math.max(...lines.map(([, count]) => number(count).length))
  return [
    ...lines.map(([name, count]) => `${name.padEnd(9)}  ${number(count).padStart(width)}`),
    ...notesOn('rejected', tally.rejected, counts.rejected),
    ...notesOn('kept as they are', tally.kept, counts.kept),
    ...(counts.rejected > 0 && rejectedFile !== null ? ['', `The rejected rows are in ${rejectedFile}`] : []),
    ...(dryRun ? ['', 'This was a dry run: nothing was written.'] : []),
  ].join('\n')
}

function notesOn(title: string, notes: readonly RowNote[], count: number): string[] {
  if (notes.length === 0) return []
  const more = count > notes.length ? [`  and ${number(count - notes.length)} more`] : []
  return ['', `${title}:`, ...notes.map(({ row, reason }) => `  row ${row}: ${oneLine(reason)}`), ...more]
}

/** Removes control characters: a reason may quote the file, which must not control the terminal. */
function oneLine(reason: string): string {
  return reason.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}
