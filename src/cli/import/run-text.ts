import { countRows } from '../../desk/importing/tally.ts'
import { timeText } from '../../lib/time.ts'
import type { ImportChange, ImportRun } from '../../store/store.ts'
import { oneLine, tallyLines } from './report.ts'

const number = (value: number) => value.toLocaleString('en')

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

/** What an import made of one incident. */
export function changeLine({
  incidentId,
  outcome,
  version,
  poorerFields,
  undoneAt,
  laterImport,
}: ImportChange): string {
  const poorer = poorerFields.length === 0 ? '' : `, kept its ${poorerFields.join(', ')}`
  const later = laterImport === null ? '' : `, changed later by ${laterImport}`
  const undone = undoneAt === null ? '' : `, undone ${timeText(undoneAt)}`
  return `${incidentId}  ${outcome}, version ${version}${poorer}${later}${undone}`
}
