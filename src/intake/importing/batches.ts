import type { Geography } from '../../geo/geography.ts'
import type { Position, Row } from './formats/format.ts'
import { type PreparedRow, prepareRow } from './prepare-row.ts'

export interface BatchRow {
  readonly row: number
  /** As it stands in the file: for those that are rejected. */
  readonly text: string
  readonly prepared: PreparedRow
}

/** What is written in one transaction. */
export interface Batch {
  readonly rows: readonly BatchRow[]
  /** After its last row. */
  readonly position: Position
}

const MOST_ROWS = 1_000
/** A thousand rows of a megabyte each would be a gigabyte. */
const MOST_CHARACTERS = 4_000_000

/** Rows, prepared, in batches of a size that both memory and a transaction hold well. */
export async function* batches(rows: AsyncIterable<Row>, geography: Geography): AsyncGenerator<Batch> {
  let collected: BatchRow[] = []
  let characters = 0
  let position: Position | null = null
  for await (const row of rows) {
    const prepared = prepareRow(row, geography)
    // The text of a row that goes in is not needed again.
    collected.push({ row: row.row, text: prepared.kind === 'rejected' ? row.text : '', prepared })
    characters += row.text.length
    position = positionOf(row)
    if (collected.length < MOST_ROWS && characters < MOST_CHARACTERS) continue
    yield { rows: collected, position }
    collected = []
    characters = 0
  }
  if (position !== null && collected.length > 0) yield { rows: collected, position }
}

function positionOf({ row, offset, within }: Position): Position {
  return within === undefined ? { row, offset } : { row, offset, within }
}

/** Takes the next one while the last is still being worked on. */
export async function* oneAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    let ahead = iterator.next()
    for (;;) {
      const { done, value } = await ahead
      if (done) return
      ahead = iterator.next()
      // Whoever stops here never looks at it: its failure must not end the process.
      ahead.catch(() => {})
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
