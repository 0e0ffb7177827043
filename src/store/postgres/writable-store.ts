import { type AttachedRecords, isRefusal } from '../shared/attached-records.ts'
import type { Receipt, ReceiptStore, WritableStore } from '../store.ts'
import { accounts } from './accounts/accounts.ts'
import { storeReceipt } from './accounts/idempotency.ts'
import { keys } from './accounts/keys.ts'
import { areas } from './areas/areas.ts'
import { type PostgresConnection, type Query, withinTransaction } from './connection/connection.ts'
import type { Listeners } from './connection/listen.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { storeAuditEntry } from './desk/audit.ts'
import { desk } from './desk/queue.ts'
import { gazetteer } from './gazetteer/gazetteer.ts'
import { imports } from './incidents/imports.ts'
import { incidents } from './incidents/incidents.ts'
import { publishers } from './incidents/publishers.ts'
import { redactions } from './redactions/redactions.ts'
import { passkeys } from './sign-in/passkeys.ts'
import { sessions } from './sign-in/sessions.ts'
import { signInLinks } from './sign-in/sign-in-links.ts'
import { siteLists } from './sites/site-lists.ts'
import { sources } from './sources/sources.ts'
import { watches } from './watches/watches.ts'

/** Every call commits the receipt with what it writes. */
export function receiptStore(connection: PostgresConnection, listeners: Listeners, receipt: Receipt): ReceiptStore {
  let receiptStored = false
  const onReceiptStored = () => {
    receiptStored = true
  }
  return {
    ...writableStore(connection, listeners, { receipt }, onReceiptStored),
    get receiptStored() {
      return receiptStored
    },
  }
}

type WritablePart = Exclude<keyof WritableStore, 'withAudit'>

/** Every call runs in a transaction that ends with the records. */
export function writableStore(
  connection: PostgresConnection,
  listeners: Listeners,
  attached: AttachedRecords,
  onReceiptStored = () => {},
): WritableStore {
  const run = async (part: WritablePart, method: string, values: readonly unknown[]): Promise<unknown> => {
    const { result, receiptStored } = await connection.transaction(async (query) => {
      const methods: unknown = partsOf(withinTransaction(query), listeners)[part]
      const result = await (methods as Record<string, (...values: readonly unknown[]) => unknown>)[method]!(...values)
      return { result, receiptStored: !isRefusal(result) && (await storeRecords(query, attached, result)) }
    })
    if (receiptStored) onReceiptStored()
    return result
  }
  const part = <Name extends WritablePart>(name: Name): WritableStore[Name] => {
    const get =
      (_: object, method: string) =>
      (...values: readonly unknown[]) =>
        run(name, method, values)
    return new Proxy({}, { get }) as WritableStore[Name]
  }
  return {
    incidents: part('incidents'),
    desk: part('desk'),
    redactions: part('redactions'),
    publishers: part('publishers'),
    gazetteer: part('gazetteer'),
    imports: part('imports'),
    accounts: part('accounts'),
    keys: part('keys'),
    sessions: part('sessions'),
    signInLinks: part('signInLinks'),
    passkeys: part('passkeys'),
    areas: part('areas'),
    siteLists: part('siteLists'),
    watches: part('watches'),
    deliveries: part('deliveries'),
    sources: part('sources'),
    withAudit: (auditEntry) => writableStore(connection, listeners, { ...attached, auditEntry }, onReceiptStored),
  }
}

/** True if a receipt was among them. */
async function storeRecords(query: Query, { receipt, auditEntry }: AttachedRecords, result: unknown): Promise<boolean> {
  if (auditEntry !== undefined) await storeAuditEntry(query, auditEntry)
  if (receipt !== undefined) await storeReceipt(query, receipt, result)
  return receipt !== undefined
}

function partsOf(connection: PostgresConnection, listeners: Listeners): Pick<WritableStore, WritablePart> {
  return {
    incidents: incidents(connection),
    desk: desk(connection, listeners),
    redactions: redactions(connection),
    publishers: publishers(connection),
    gazetteer: gazetteer(connection, listeners),
    imports: imports(connection),
    accounts: accounts(connection),
    keys: keys(connection),
    sessions: sessions(connection),
    signInLinks: signInLinks(connection),
    passkeys: passkeys(connection),
    areas: areas(connection),
    siteLists: siteLists(connection),
    watches: watches(connection, listeners),
    deliveries: deliveries(connection, listeners),
    sources: sources(connection),
  }
}
