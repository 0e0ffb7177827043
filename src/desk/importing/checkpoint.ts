import { hash } from 'node:crypto'
import type { ImportTally } from '../../domain/import-report.ts'
import type { Mapping, Position } from './formats/format.ts'
import type { FormatName } from './formats/formats.ts'

/** The position at which an interrupted import continues, with the counts for its final report. */
export interface Checkpoint {
  readonly position: Position
  readonly tally: ImportTally
  /** The length of the file of rejected rows. */
  readonly rejectedBytes: number
  /** The run that it belongs to. */
  readonly runId: string
}

/** Version of the format: another build may use the same names differently. */
const FORM = 2

export function checkpointText(checkpoint: Checkpoint): string {
  return JSON.stringify({ form: FORM, ...checkpoint })
}

/** Null if the checkpoint has another format version. */
export function readCheckpoint(text: string): Checkpoint | null {
  const { form, ...checkpoint } = JSON.parse(text) as Checkpoint & { form: number }
  return form === FORM ? checkpoint : null
}

/** Identifies a file by its length and a sample of its bytes, not by its path. */
export interface FileIdentity {
  readonly size: number
  readonly sample: Uint8Array
}

/** The same for the same file, format and settings. */
export function checkpointIdFor(
  format: FormatName,
  { columns, values, constants }: Mapping,
  replace: boolean,
  { size, sample }: FileIdentity,
): string {
  const settings = [
    sorted(columns),
    sorted(values).map(([field, pairs]) => [field, sorted(pairs)]),
    sorted(constants),
    replace,
  ]
  return hash('sha256', JSON.stringify([format, settings, size, hash('sha256', sample)]))
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1))
}
