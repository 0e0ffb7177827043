import type { Config } from '../config/settings.ts'
import type { Guard } from '../deliveries/guard/guard.ts'
import { resolvedNames } from '../deliveries/guard/name-resolver.ts'
import { FeedReader } from '../desk/sources/feed-reader.ts'
import { FeedFetcher, FetchProblem } from '../desk/sources/fetch-feed.ts'
import { extract } from '../reading/extract.ts'
import { VERSION } from '../version.ts'

const SHOWN_ITEMS = 20

/** Decides like the service which addresses may be fetched. */
export function guardOf({ WEBHOOK_ALLOW_PRIVATE, DNS_SERVERS }: Config): Guard {
  return { allowPrivate: WEBHOOK_ALLOW_PRIVATE, lookup: resolvedNames(DNS_SERVERS).lookup }
}

/** Fetches a feed once and prints what would be read from its items. Stores nothing. */
export async function testFeed(url: string, config: Config): Promise<void> {
  const userAgent = `incident-feed/${VERSION}`
  await using fetcher = new FeedFetcher({ guard: guardOf(config), clock: Date.now, userAgent })
  await using reader = new FeedReader()
  try {
    const fetched = await fetcher.fetch(url, { etag: null, lastModified: null }, new AbortController().signal)
    if (fetched.movedTo !== null) console.log(`The feed has moved to ${fetched.movedTo}`)
    const items = fetched.kind === 'feed' ? await reader.read(fetched.text) : []
    console.log(`${items.length} items`)
    for (const { title, text, publishedAt } of items.slice(0, SHOWN_ITEMS)) {
      const published_at = publishedAt === null ? null : new Date(publishedAt).toISOString()
      console.log(`\n${published_at ?? 'no time'}  ${title}`)
      for (const { type, state, lga, score } of extract({ title, text, published_at }))
        console.log(`  ${type}, ${[lga, state].filter((name) => name !== null).join(', ') || 'no place'} (${score})`)
    }
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    console.log(`${error.problem.code}: ${error.problem.detail}`)
    process.exitCode = 1
  }
}
