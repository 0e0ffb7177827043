import { isRefusal } from '../shared/receipt.ts'
import type { Receipt, ReceiptStore, WritableStore } from '../store.ts'
import { accounts } from './accounts/accounts.ts'
import { storeReceipt } from './accounts/idempotency.ts'
import { keys } from './accounts/keys.ts'
import { type PostgresConnection, withinTransaction } from './connection/connection.ts'
import type { Listeners } from './connection/listen.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { watches } from './deliveries/watches.ts'
import { desk } from './desk/queue.ts'
import { gazetteer } from './gazetteer/gazetteer.ts'
import { incidents } from './incidents/incidents.ts'
import { publishers } from './incidents/publishers.ts'
import { redactions } from './redactions/redactions.ts'

/** Every call runs in a transaction that ends with the receipt. */
export function receiptStore(connection: PostgresConnection, listeners: Listeners, receipt: Receipt): ReceiptStore {
  let receiptStored = false
  const run = async (part: keyof WritableStore, method: string, values: readonly unknown[]): Promise<unknown> => {
    const { result, stored } = await connection.transaction(async (query) => {
      const methods: unknown = writableStore(withinTransaction(query), listeners)[part]
      const result = await (methods as Record<string, (...values: readonly unknown[]) => unknown>)[method]!(...values)
      if (isRefusal(result)) return { result, stored: false }
      await storeReceipt(query, receipt, result)
      return { result, stored: true }
    })
    receiptStored ||= stored
    return result
  }
  const part = <Name extends keyof WritableStore>(name: Name): WritableStore[Name] => {
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
    accounts: part('accounts'),
    keys: part('keys'),
    watches: part('watches'),
    deliveries: part('deliveries'),
    get receiptStored() {
      return receiptStored
    },
  }
}

function writableStore(connection: PostgresConnection, listeners: Listeners): WritableStore {
  return {
    incidents: incidents(connection),
    desk: desk(connection, listeners),
    redactions: redactions(connection),
    publishers: publishers(connection),
    gazetteer: gazetteer(connection, listeners),
    accounts: accounts(connection),
    keys: keys(connection),
    watches: watches(connection, listeners),
    deliveries: deliveries(connection, listeners),
  }
}
