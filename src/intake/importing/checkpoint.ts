import { hash } from 'node:crypto'
import type { Position } from './formats/format.ts'
import type { FormatName } from './formats/formats.ts'
import type { ImportTally } from './outcome.ts'

/** The position at which an interrupted import continues, with the counts for its final report. */
export interface Checkpoint {
  readonly position: Position
  readonly tally: ImportTally
  /** The length of the file of rejected rows. */
  readonly rejectedBytes: number
}

/** Version of the format: another build may use the same names differently. */
const FORM = 1

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

/** The same for the same file, format and column map. */
export function importIdFor(
  format: FormatName,
  map: ReadonlyMap<string, string>,
  { size, sample }: FileIdentity,
): string {
  const columns = [...map].sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([format, columns, size, hash('sha256', sample)]))
}
