import { createHash } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import { canonicalAddress } from '../../domain/same-story.ts'
import type { FeedItem } from '../../domain/sources.ts'

/** Tells the items of one document of a feed apart. */
export interface KnownFeed {
  /**
   * Follows from the feed's address and the GUID, so that a feed that is added again brings nothing
   * twice.
   */
  idOf(item: FeedItem): string
  /** Null if the address does not tell the item from others. */
  urlKeyOf(item: FeedItem): string | null
}

export function knownFeed(feedUrl: string, items: readonly FeedItem[]): KnownFeed {
  const feedKey = urlKeyOf(feedUrl) ?? digestOf(feedUrl)
  const guidsByUrl = new Map<string, Set<string>>()
  for (const { url, guid } of items) {
    if (url === null) continue
    const guids = guidsByUrl.get(url) ?? new Set()
    guidsByUrl.set(url, guids.add(guid))
  }
  return {
    idOf: ({ guid }) => derivedIdentifier('item', createHash('sha256').update(`${feedKey} ${guid}`).digest()),
    urlKeyOf({ url }) {
      // A front page or a live blog is the address of many stories.
      if (url === null || guidsByUrl.get(url)!.size > 1 || isFrontPage(url)) return null
      return urlKeyOf(url)
    },
  }
}

/** A digest of the canonical address; null if the text is no web address. */
export function urlKeyOf(url: string): string | null {
  const address = canonicalAddress(url)
  return address === null ? null : digestOf(address)
}

function isFrontPage(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
