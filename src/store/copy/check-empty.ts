import { canonicalRow } from './canonical-row.ts'
import { CopyRefused } from './copy-refused.ts'
import type { ReadableEnd } from './ends.ts'
import type { CopiedRow, CopiedTable } from './tables/table.ts'
import { COPIED_TABLES } from './tables/tables.ts'

/** Refuses a target that has more than a new store has. */
export async function checkEmpty(target: ReadableEnd): Promise<void> {
  const filled: string[] = []
  for (const table of COPIED_TABLES) if (!(await isUnused(target, table))) filled.push(table.name)
  if (filled.length > 0)
    throw new CopyRefused(
      `The target is not empty: it has rows in ${filled.join(', ')}. Nothing was changed. Name a new file, or create an empty database`,
    )
}

async function isUnused(target: ReadableEnd, table: CopiedTable): Promise<boolean> {
  let first: readonly CopiedRow[] = []
  for await (const page of target.pages(table, null)) {
    first = page
    break
  }
  const textOf = (rows: readonly CopiedRow[]) => rows.map(canonicalRow).join('\n')
  return textOf(first) === textOf(table.initial)
}
