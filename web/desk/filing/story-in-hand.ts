import { request } from '../../shared/parts/request.ts'
import { createStore } from '../../shared/store.ts'
import type { FilingForm } from './form.ts'

/** A story of a feed that reports an incident, but no place that is certain. */
export interface UnplacedStory {
  readonly id: string
  readonly publisher: string
  readonly title: string
  readonly url: string | null
  readonly text: string
  readonly published_at: string | null
  readonly found_at: string
  readonly incident_ids: readonly string[]
}

/** The story that the form of a new report is filled in from; null without one. */
export const storyInHand = createStore<UnplacedStory | null>(null)

/** The story's publisher and address, as the source of each report from it. */
export function sourceFields(story: UnplacedStory | null): Partial<FilingForm> {
  return story === null ? {} : { publisher: story.publisher, url: story.url ?? '' }
}

/** Takes the story off the list, with the incidents that were filed from it. */
export function closeStory({ id }: UnplacedStory, incidentIds: readonly string[]): Promise<void> {
  const body = { incident_ids: incidentIds }
  return request('POST', `/v1/desk/unplaced-stories/${encodeURIComponent(id)}/close`, { body })
}
