/** Characters of a story that are read. */
export const MAX_STORY_LENGTH = 20_000

export interface Story {
  readonly text: string
  readonly title?: string | null
  /** Its path may name the section: `/sports/`. */
  readonly url?: string | null
  /** ISO 8601; "on Tuesday" is read relative to it. */
  readonly published_at?: string | null
}
