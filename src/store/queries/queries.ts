import { accounts, mails, signups } from './accounts.ts'
import { areas, siteLists } from './areas.ts'
import { audit } from './audit.ts'
import { desk } from './desk.ts'
import { events } from './events.ts'
import { gazetteer } from './gazetteer.ts'
import { idempotency } from './idempotency.ts'
import { imports } from './imports.ts'
import { incidents } from './incidents.ts'
import { keys, usage } from './keys.ts'
import { redactions } from './redactions.ts'
import { challenges, passkeys, sessions, signInLinks } from './sign-in.ts'
import { publishers, sources } from './sources.ts'
import { tips } from './tips.ts'
import { watches } from './watches.ts'

/** The store's methods, by part. Those that an engine writes by itself are not among them. */
export const queries = {
  accounts,
  areas,
  audit,
  challenges,
  gazetteer,
  idempotency,
  imports,
  keys,
  mails,
  passkeys,
  publishers,
  sessions,
  signInLinks,
  signups,
  siteLists,
  usage,
  events,
  incidents,
  desk,
  redactions,
  sources,
  tips,
  watches,
}
