import { useState } from 'preact/hooks'
import { showRefusal } from '../../decisions/show-refusal.ts'
import { showToast } from '../../decisions/toasts.ts'
import { closeStory, storyInHand, type UnplacedStory } from '../../filing/story-in-hand.ts'
import { view } from '../../view.ts'

interface Props {
  readonly story: UnplacedStory
  /** The incidents that were filed from it. */
  readonly filed: readonly string[]
}

/**
 * Which story the form is filled in from. It stays on the list until the editor is done with it.
 */
export function StoryInHand({ story, filed }: Props) {
  const [isSending, setSending] = useState(false)
  const leave = () => {
    storyInHand.set(null)
    view.set('stories')
  }
  const close = async () => {
    setSending(true)
    await showRefusal(
      closeStory(story, filed).then(() => {
        showToast('done', 'The story is closed.')
        leave()
      }),
    )
    setSending(false)
  }
  return (
    <section class="story-in-hand" aria-label="The story">
      <p>
        From {story.publisher}: <strong>{story.title}</strong>
      </p>
      <div class="row-of-buttons">
        {filed.length > 0 && (
          <button type="button" class="button primary" disabled={isSending} onClick={() => void close()}>
            Close the story
          </button>
        )}
        <button type="button" class="button" onClick={leave}>
          Back to the stories
        </button>
      </div>
    </section>
  )
}
