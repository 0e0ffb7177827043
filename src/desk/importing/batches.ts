import type { Geography } from '../../geo/geography.ts'
import type { Position, Row } from './formats/format.ts'
import { type PreparedRow, prepareRow } from './prepare-row.ts'

export interface BatchRow {
  readonly row: number
  /** As it is in the file; empty unless the row is rejected. */
  readonly text: string
  readonly prepared: PreparedRow
}

/** Rows written in one transaction. */
export interface Batch {
  readonly rows: readonly BatchRow[]
  /** After its last row. */
  readonly position: Position
}

const MAX_ROWS = 1_000
/** Bounds the memory: a thousand rows of a megabyte each would be a gigabyte. */
const MAX_CHARACTERS = 4_000_000

/** Batches of prepared rows bound the memory and the size of a transaction. */
export async function* batches(rows: AsyncIterable<Row>, geography: Geography): AsyncGenerator<Batch> {
  let collected: BatchRow[] = []
  let characters = 0
  let position: Position | null = null
  for await (const row of rows) {
    const prepared = prepareRow(row, geography)
    collected.push({ row: row.row, text: prepared.kind === 'rejected' ? row.text : '', prepared })
    characters += row.text.length
    position = positionOf(row)
    if (collected.length < MAX_ROWS && characters < MAX_CHARACTERS) continue
    yield { rows: collected, position }
    collected = []
    characters = 0
  }
  if (position !== null && collected.length > 0) yield { rows: collected, position }
}

function positionOf({ row, offset, within }: Position): Position {
  return within === undefined ? { row, offset } : { row, offset, within }
}

/** Requests the next item while the consumer still works on the current one. */
export async function* prefetchOne<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    let ahead = iterator.next()
    for (;;) {
      const { done, value } = await ahead
      if (done) return
      ahead = iterator.next()
      // A consumer that stops here never awaits it; its failure must not end the process.
      ahead.catch(() => {})
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
