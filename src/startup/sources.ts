import type { Logger } from 'pino'
import { publishedSourceOf } from '../api/desk/incident.ts'
import type { Environment } from '../api/services.ts'
import type { Archive } from '../archive/archive.ts'
import { FeedReader } from '../desk/sources/feed-reader.ts'
import { FeedFetcher } from '../desk/sources/fetch-feed.ts'
import { SourcePoller } from '../desk/sources/poller.ts'
import { Semaphore } from '../lib/concurrency.ts'
import { random } from '../lib/runtime.ts'
import type { Store } from '../store/store.ts'
import type { StartOptions } from './environment.ts'

/** Starts polling news sources; one node at a time does. */
export function startSources(
  owner: string,
  { store, archive }: { readonly store: Store; readonly archive: Archive },
  environment: Environment,
  logger: Logger,
  { sources: options = {}, edges }: StartOptions,
  yieldsLeases: () => boolean,
): AsyncDisposable {
  const { geography, guard, queries, clock, aging, runtime, publicUrl, version, pollListeners } = environment
  const running = new AsyncDisposableStack()
  const { intervalMs, ...fetching } = options
  const userAgent = `incident-feed/${version} (+${publicUrl()})`
  const fetcher = edges?.fetcher ?? running.use(new FeedFetcher({ ...fetching, guard, clock, runtime, userAgent }))
  const reader = edges?.reader ?? running.use(new FeedReader(runtime))
  const asker = { subject: 'sources', signal: () => new AbortController().signal }
  running.use(
    new SourcePoller({
      owner,
      store,
      geography,
      findPublished: (filter, limit) => publishedSourceOf(archive, queries, asker, clock())(filter, limit),
      fetcher,
      reader,
      taking: new Semaphore(1),
      clock,
      agingClock: aging.now,
      runtime,
      random,
      yieldsLeases,
      ...(intervalMs === undefined ? {} : { intervalMs }),
      onPolled: (result) => {
        for (const listener of pollListeners) listener(result)
      },
      onError: (error) => logger.warn({ err: error }, 'a news source could not be polled or an item not be saved'),
    }),
  )
  return running
}
