import { randomUUID } from 'node:crypto'
import type { Places } from '../domain/places.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AttemptResult, Store } from '../store/store.ts'
import { disableFailing } from './disable.ts'
import { Dispatcher } from './dispatcher.ts'
import { FanOutRunner } from './fan-out.ts'
import type { Sender } from './send.ts'
import { WatchIndex } from './watch-index.ts'

export interface WatchesOptions {
  readonly store: Store
  readonly sender: Sender
  readonly places: Places
  readonly mailer: Mailer | null
  readonly clock: () => number
  readonly concurrency: number
  readonly perHost: number
  readonly pollEvery: number
  readonly onTrouble: (error: unknown) => void
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null) => void
}

/** Everything between the log and the endpoints: watches are matched, deliveries made and sent, until it is disposed of. */
export async function startWatches(options: WatchesOptions): Promise<AsyncDisposable> {
  const { store, sender, places, clock, pollEvery, onTrouble } = options
  const owner = randomUUID()
  const index = new WatchIndex(store.watches, places, onTrouble)
  // Here, not at the first event: reading a million watches takes seconds.
  await index.catchUp()
  const running = new AsyncDisposableStack()
  const dispatcher = running.use(
    new Dispatcher(store, sender, {
      ...options,
      owner,
      random: Math.random,
      onFailing: (failing, gone) => disableFailing(failing, gone, store, options),
    }),
  )
  running.use(
    new FanOutRunner(store, index, {
      owner,
      clock,
      pollEvery,
      onTrouble,
      room: () => dispatcher.room,
      hand: (dispatches, events, leasedUntil) => dispatcher.take(dispatches, events, leasedUntil),
    }),
  )
  return running
}
