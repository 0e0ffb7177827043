import type { MapKey } from '../accounts/keys/map-key.ts'
import type { Mailer } from '../accounts/mail/mailer.ts'
import type { Archive } from '../archive/archive.ts'
import type { Config } from '../config.ts'
import { Problem } from '../domain/errors.ts'
import type { RecentEvents } from '../event-log/recent-events.ts'
import type { Geography } from '../geo/geography.ts'
import type { AttemptResult, Store } from '../store/store.ts'
import type { Streams } from '../streams/streams.ts'
import type { Guard } from '../webhooks/guard/guard.ts'
import type { Sender } from '../webhooks/send/sender.ts'
import type { MapAssets } from './pages/map/map-assets.ts'

/** What the routes stand on. The server answers from its first moment, so the store and the archive may not be there yet. */
export interface Dependencies {
  readonly config: Config
  readonly version: string
  readonly geography: Geography
  readonly clock: () => number
  readonly mailer: Mailer | null
  readonly mapKey: MapKey
  /** Null where the map has not been built. */
  readonly mapAssets: MapAssets | null
  /** Where messages may be sent, and what sends them. */
  readonly guard: Guard
  readonly sender: Sender
  /** Told of every attempt at a delivery. */
  onAttempt: (result: AttemptResult, sinceCommit: number | null) => void
  /** Where the service is reached from outside. */
  publicUrl: string
  store: Store | null
  archive: Archive | null
  /** The newest events that the archive has taken in. */
  recent: RecentEvents | null
  streams: Streams | null
  /** When the archive was last known to hold everything in the log. */
  inStepAt: () => number
}

export function storeOf(dependencies: Dependencies): Store {
  if (dependencies.store === null) throw starting('The database is being opened.')
  return dependencies.store
}

export function archiveOf(dependencies: Dependencies): Archive {
  if (dependencies.archive === null) throw starting('The archive is being loaded.')
  return dependencies.archive
}

export function recentOf(dependencies: Dependencies): RecentEvents {
  if (dependencies.recent === null) throw starting('The archive is being loaded.')
  return dependencies.recent
}

export function streamsOf(dependencies: Dependencies): Streams {
  if (dependencies.streams === null) throw starting('The archive is being loaded.')
  return dependencies.streams
}

function starting(detail: string): Problem {
  return new Problem('starting', detail, { headers: { 'retry-after': '2' } })
}
