import { userInfo } from 'node:os'
import { type Act, commandEntryOf } from '../accounts/audit.ts'
import type { Store, WritableStore } from '../store/store.ts'

/** A store for one write of a command, which the audit log shows with the user of this machine. */
export function auditedStore(store: Store, act: Act): WritableStore {
  return store.withAudit(commandEntryOf(userName(), act, Date.now()))
}

/** The name under which the user of this machine stands in reports and histories. */
export function commandActor(): string {
  return `${userName()}, at the command line`
}

/** A user id without a name, as containers have, is no reason to refuse a command. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** All rows, by pages of `size`; `readPage` gets the last row of the page before. */
export async function* allRows<Row>(
  size: number,
  readPage: (last: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | null = null; ; ) {
    const page: readonly Row[] = await readPage(last)
    yield* page
    if (page.length < size) return
    last = page.at(-1)!
  }
}
