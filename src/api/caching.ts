import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAP_ACCOUNT_ID } from '../accounts/keys.ts'
import { areaTag, EVERYTHING_TAG } from '../domain/cache-tags.ts'

/** However many ask, the status is written once in this time. */
export const STATUS_MAX_AGE_SECONDS = 10

/**
 * The time for which answers may be kept: `shared` where everybody gets the same one, by browsers
 * and by caches that serve many (`s-maxage`); `own` where the answer is for the holder of a key or
 * a session. A browser asks again each time: nobody can purge its copy.
 */
export const CACHING = {
  /** Changes with every event: pages. Purged after a correction. */
  live: {
    shared: 'public, max-age=0, s-maxage=30, stale-while-revalidate=30, stale-if-error=600',
    own: 'private, no-cache',
  },
  /**
   * The same for lists, tiles and statistics: without `stale-while-revalidate`, by which
   * Chromium would show a map its own older copies.
   */
  answers: { shared: 'public, max-age=0, s-maxage=30, stale-if-error=600', own: 'private, no-cache' },
  /** Answers to `min_seq`: whoever knows of a newer event asks at another address. */
  versions: { shared: 'public, max-age=0, s-maxage=300, stale-if-error=600', own: 'private, no-cache' },
  /** Asked for once a minute, by programs. */
  feeds: {
    shared: 'public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=600',
    own: 'private, no-cache',
  },
  /** Files of months. Purged after a correction. */
  months: {
    shared: 'public, max-age=0, s-maxage=300, stale-while-revalidate=60, stale-if-error=3600',
    own: 'private, no-cache',
  },
  /** Preview images, which messengers ask for. Purged after a correction. */
  images: {
    shared: 'public, max-age=60, s-maxage=300, stale-while-revalidate=60, stale-if-error=600',
    own: 'private, no-cache',
  },
  /** Changes with a release or a restart; helps slow connections. */
  boundaries: { shared: 'public, max-age=604800, s-maxage=3600', own: 'private, max-age=604800' },
  files: { shared: 'public, max-age=86400', own: 'public, max-age=86400' },
  /** A file's name changes with its content. */
  assets: { shared: 'public, max-age=31536000, immutable', own: 'public, max-age=31536000, immutable' },
  contract: { shared: 'public, max-age=300', own: 'public, max-age=300' },
  status: { shared: `public, max-age=${STATUS_MAX_AGE_SECONDS}`, own: `public, max-age=${STATUS_MAX_AGE_SECONDS}` },
  pushKey: { shared: 'public, max-age=3600', own: 'public, max-age=3600' },
  /** Redirects and pages that are not known: asked for again each time. */
  checked: { shared: 'no-cache', own: 'private, no-cache' },
} as const satisfies Record<string, Readonly<Record<'shared' | 'own', string>>>

export interface Caching {
  readonly kind: keyof typeof CACHING
  /** The request headers that select the response. */
  readonly vary: string
  /** The incidents that the answer shows, as `tagsShowing` names them; without, the country's. */
  readonly tags?: readonly string[]
}

export const ANSWER: Caching = { kind: 'answers', vary: 'Accept-Encoding' }
export const FEED: Caching = { kind: 'feeds', vary: 'Accept-Encoding' }
/** For endpoints where `Accept` selects the format. */
export const ANSWER_BY_FORMAT: Caching = { kind: 'answers', vary: 'Accept, Accept-Encoding' }
export const BOUNDARIES: Caching = { kind: 'boundaries', vary: 'Accept-Encoding' }
/** Shows no incident. */
export const LIVE_FILE: Caching = { kind: 'live', vary: 'Accept-Encoding', tags: [] }
export const LIVE_BY_LANGUAGE: Caching = { kind: 'live', vary: 'Accept-Encoding, Accept-Language' }

const COUNTRY_TAGS = [areaTag('NG')] as const
const PURGED: ReadonlySet<keyof typeof CACHING> = new Set(['live', 'answers', 'feeds', 'months', 'images'])

/** Writes all headers for caches, except the ETag. */
export function writeCaching(request: FastifyRequest, reply: FastifyReply, { kind, vary, tags }: Caching): void {
  const isShared = isForEverybody(request, reply)
  const lives = CACHING[kind === 'answers' && request.leastSeq > 0 ? 'versions' : kind]
  reply.header('cache-control', lives[isShared ? 'shared' : 'own'])
  const selecting = isShared && request.caller !== null ? `${vary}, Authorization` : vary
  if (selecting !== '') reply.header('vary', addToVary(reply, selecting))
  if (!isShared || !PURGED.has(kind)) return
  const all = [EVERYTHING_TAG, ...(tags ?? COUNTRY_TAGS)]
  // The names under which Fastly and Cloudflare know them.
  reply.header('surrogate-key', all.join(' ')).header('cache-tag', all.join(','))
}

/**
 * The public map's own key is in its page: who sends it is anonymous. All other keys and sessions
 * have limits and origins of their own. An answer that lacks events must not be kept for others.
 */
function isForEverybody({ caller }: FastifyRequest, reply: FastifyReply): boolean {
  if (caller !== null && caller.account.id !== MAP_ACCOUNT_ID) return false
  return !reply.hasHeader('stale-seconds') && !reply.hasHeader('set-cookie')
}

export function addToVary(reply: FastifyReply, name: string): string {
  const present = reply.getHeader('vary')
  return present ? `${present}, ${name}` : name
}
