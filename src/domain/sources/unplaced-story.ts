/**
 * A story that reports an incident without a place that is certain: an editor files it by hand.
 * Its id is that of the item. Times are milliseconds.
 */
export interface UnplacedStory {
  readonly id: string
  readonly sourceId: string
  readonly publisher: string
  readonly title: string
  readonly url: string | null
  /** With the title. */
  readonly text: string
  readonly publishedAt: number | null
  readonly foundAt: number
  /** What the story was queued as or proposed for, because it told of that with a place. */
  readonly incidentIds: readonly string[]
}

/** What is stored of such a story beside its item. */
export type UnplacedText = Pick<UnplacedStory, 'publisher' | 'text'>
