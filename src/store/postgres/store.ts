import type { Store } from '../store.ts'
import { accounts } from './accounts.ts'
import { budgets } from './budgets.ts'
import { Connection } from './connection.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { fanOut } from './fan-out.ts'
import { idempotency } from './idempotency.ts'
import { imports } from './imports.ts'
import { incidents } from './incidents.ts'
import { keys } from './keys.ts'
import { Listeners } from './listen.ts'
import { migrate } from './migrate.ts'
import { owners } from './owners.ts'
import { publishers } from './publishers.ts'
import { Servers } from './servers.ts'
import { signups } from './signups.ts'
import { usage } from './usage.ts'
import { watches } from './watches.ts'

export interface PostgresOptions {
  /** The most connections at a time, without the one that listens. */
  readonly connections?: number
  /** How long connecting may take before the store counts as away, in milliseconds. */
  readonly connectTimeout?: number
  /** How long one statement may take, in milliseconds. */
  readonly statementTimeout?: number
}

export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<Store> {
  const connect = options.connectTimeout ?? 3_000
  const statement = options.statementTimeout ?? 5_000
  const servers = new Servers(databaseUrl)
  await migrate(servers, connect)
  const connection = new Connection(servers, options.connections ?? 10, { connect, statement })
  const listeners = new Listeners(servers, connect)
  return {
    incidents: incidents(connection),
    events: events(connection, listeners),
    publishers: publishers(connection),
    imports: imports(connection),
    accounts: accounts(connection),
    keys: keys(connection),
    signups: signups(connection),
    usage: usage(connection),
    idempotency: idempotency(connection),
    watches: watches(connection, listeners),
    fanOut: fanOut(connection),
    deliveries: deliveries(connection, listeners),
    owners: owners(connection),
    budgets: budgets(connection),
    async [Symbol.asyncDispose]() {
      await listeners[Symbol.asyncDispose]()
      await connection[Symbol.asyncDispose]()
    },
  }
}
