import { useState } from 'preact/hooks'
import { Button, PageFoot, usePages } from '../../shared/parts/controls.tsx'
import { momentText } from '../../shared/text.ts'
import { closeStory, storyInHand, type UnplacedStory } from '../filing.ts'
import { showRefusal, showToast } from '../toasts.tsx'
import { view } from '../view.ts'
import { SourceName } from './report-sections.tsx'

/** All stories whose place an editor has to find. */
export function UnplacedStoriesView() {
  const list = usePages<UnplacedStory>('/v1/desk/unplaced-stories', {})
  return (
    <main class="admin">
      <h1>Stories without a place</h1>
      <p class="quiet">
        Stories from feeds that report an incident, but no place that is certain. They are not in the queue: report them
        by hand, or dismiss them.
      </p>
      <ul class="proposals">
        {list.items.map((story) => (
          <li key={story.id}>
            <StoryCard story={story} onClosed={list.reload} />
          </li>
        ))}
      </ul>
      <PageFoot list={list} empty="No story waits." />
    </main>
  )
}

function StoryCard({ story, onClosed }: { story: UnplacedStory; onClosed: () => void }) {
  const [isSending, setSending] = useState(false)
  const report = () => {
    storyInHand.set(story)
    view.set('file')
  }
  const dismiss = async () => {
    setSending(true)
    await showRefusal(closeStory(story, []).then(() => showToast('done', 'The story was dismissed.')))
    setSending(false)
    onClosed()
  }
  const { publisher, url, published_at: publishedAt, incident_ids: incidentIds } = story
  return (
    <div class="candidate">
      <p class="candidate-head">
        <SourceName source={{ publisher, url, published_at: publishedAt }} />
        <span class="quiet">{momentText(story.found_at)}</span>
      </p>
      <p class="candidate-summary">{story.title}</p>
      {incidentIds.length > 0 && (
        <p class="quiet">Another incident of this story has a place and is at the desk already.</p>
      )}
      <details>
        <summary>The story</summary>
        <p class="story-text">{story.text}</p>
      </details>
      <div class="row-of-buttons">
        <Button class="button small primary" label="Fill in a report" disabled={isSending} onClick={report} />
        <Button class="button small" label="Dismiss" disabled={isSending} onClick={() => void dismiss()} />
      </div>
    </div>
  )
}
