import { accounts, mails } from './accounts.ts'
import { alerts, push } from './alerts.ts'
import { areas, siteLists } from './areas.ts'
import { audit } from './audit.ts'
import { chain } from './chain.ts'
import { clock, tables } from './clock.ts'
import { deliveries, fanOut, listening, owners } from './deliveries.ts'
import { desk } from './desk.ts'
import { gazetteer } from './gazetteer.ts'
import { idempotency } from './idempotency.ts'
import { imports } from './imports.ts'
import { backups, events, incidents } from './incidents.ts'
import { keys, usage } from './keys.ts'
import { redactions } from './redactions.ts'
import { challenges, passkeys, sessions, signInLinks, signups } from './sign-in.ts'
import { publishers, sources } from './sources.ts'
import { tips } from './tips.ts'
import { watches } from './watches.ts'

/** The store's methods, by part. Those that an engine writes by itself are not among them. */
export const queries = {
  accounts,
  alerts,
  areas,
  audit,
  backups,
  chain,
  challenges,
  clock,
  deliveries,
  desk,
  events,
  fanOut,
  gazetteer,
  idempotency,
  imports,
  incidents,
  keys,
  listening,
  mails,
  owners,
  passkeys,
  publishers,
  push,
  redactions,
  sessions,
  signInLinks,
  signups,
  siteLists,
  sources,
  tables,
  tips,
  usage,
  watches,
}
