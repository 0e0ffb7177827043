import { hash } from 'node:crypto'
import type { Position } from './formats/format.ts'
import type { FormatName } from './formats/formats.ts'
import type { Tally } from './outcome.ts'

/** From where an import that was interrupted goes on, and all that its report has to say by then. */
export interface Checkpoint {
  readonly position: Position
  readonly tally: Tally
  /** The length of the file of rejected rows. */
  readonly rejectedBytes: number
}

/** Another build may mean other things by the same names. */
const FORM = 1

export function checkpointText(checkpoint: Checkpoint): string {
  return JSON.stringify({ form: FORM, ...checkpoint })
}

/** Null for one that this build does not parseRow. */
export function readCheckpoint(text: string): Checkpoint | null {
  const { form, ...checkpoint } = JSON.parse(text) as Checkpoint & { form: number }
  return form === FORM ? checkpoint : null
}

/** What a file is known by, wherever it lies: its length and some of its bytes. */
export interface FileIdentity {
  readonly size: number
  readonly sample: Uint8Array
}

/** The same for the same file read in the same way. */
export function importIdFor(
  format: FormatName,
  map: ReadonlyMap<string, string>,
  { size, sample }: FileIdentity,
): string {
  const columns = [...map].sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([format, columns, size, hash('sha256', sample)]))
}
