/** What became of an item. */
export const ITEM_STATES = {
  queued: 'It became one report or several.',
  proposed: 'It was proposed as a further source of incidents that are known.',
  duplicate: 'It repeats an item or a source that is known.',
  no_incident: 'It reports no incident.',
  no_place: 'It reports an incident, but not where.',
  too_old: 'It was published too long ago.',
} as const satisfies Record<string, string>

export type ItemState = keyof typeof ITEM_STATES
export const ITEM_STATE_NAMES = Object.keys(ITEM_STATES) as readonly ItemState[]

/** An item of a feed, as plain text. */
export interface FeedItem {
  /** The GUID, else the address, else a digest of the text: what a feed repeats for one item. */
  readonly guid: string
  readonly url: string | null
  readonly title: string
  readonly text: string
  /** Milliseconds; null if the feed does not say or it cannot be read. */
  readonly publishedAt: number | null
}

/** An item that was dealt with. Times are milliseconds. */
export interface NewsItem {
  readonly id: string
  readonly sourceId: string
  readonly state: ItemState
  readonly title: string
  readonly url: string | null
  readonly publishedAt: number | null
  readonly firstSeenAt: number
  /** The incidents that it was queued as or proposed for. */
  readonly incidentIds: readonly string[]
  /** The item that it repeats. */
  readonly duplicateOf: string | null
}
