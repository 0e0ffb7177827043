import type { AttachedRecords } from '../shared/attached-records.ts'
import type { Receipt, ReceiptStore, WritableStore } from '../store.ts'
import type { SqliteConnection } from './connection/connection.ts'
import type { Listeners } from './connection/listen.ts'
import { deskOf, gazetteerOf, incidentsOf, redactionsOf, sourcesOf } from './incident-parts.ts'
import { accountsOf, areasOf, deliveriesOf, siteListsOf, watchesOf } from './store-parts.ts'

/** Every call commits the receipt with what it writes. */
export function receiptStore(connection: SqliteConnection, listeners: Listeners, receipt: Receipt): ReceiptStore {
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

/** Every call commits the records with what it writes. */
export function writableStore(
  connection: SqliteConnection,
  listeners: Listeners,
  attached: AttachedRecords,
  onReceiptStored = () => {},
): WritableStore {
  const tables = connection.attaching(attached, onReceiptStored)
  return {
    incidents: incidentsOf(tables, listeners),
    desk: deskOf(tables, listeners),
    redactions: redactionsOf(tables, listeners),
    publishers: tables.table('publishers'),
    gazetteer: gazetteerOf(tables, listeners),
    imports: tables.table('imports'),
    accounts: accountsOf(tables, listeners),
    keys: tables.table('keys'),
    sessions: tables.table('sessions'),
    signInLinks: tables.table('signInLinks'),
    passkeys: tables.table('passkeys'),
    areas: areasOf(tables, listeners),
    siteLists: siteListsOf(tables, listeners),
    watches: watchesOf(tables, listeners),
    deliveries: deliveriesOf(tables, listeners),
    sources: sourcesOf(tables, listeners),
    withAudit: (auditEntry) => writableStore(connection, listeners, { ...attached, auditEntry }, onReceiptStored),
  }
}
