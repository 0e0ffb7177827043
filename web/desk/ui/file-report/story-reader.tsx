import { useEffect, useState } from 'preact/hooks'
import { type IncidentCandidate, MAX_STORY_LENGTH } from '../../../../src/domain/story.ts'
import { Field } from '../../../shared/parts/field.tsx'
import { RequestError } from '../../../shared/parts/request.ts'
import { readStory } from '../../api/desk-api.ts'
import { candidateLabel } from '../../filing/candidate.ts'
import type { UnplacedStory } from '../../filing/story-in-hand.ts'

interface Props {
  /** Read at once; without one, a story is pasted. */
  readonly story: UnplacedStory | null
  readonly chosen: IncidentCandidate | null
  readonly onChoose: (candidate: IncidentCandidate, story: string) => void
}

/** A story that is pasted or came from a feed, and the incidents that the service finds in it. */
export function StoryReader({ story: given, chosen, onChoose }: Props) {
  const [story, setStory] = useState(given?.text ?? '')
  const [day, setDay] = useState(() => (given?.published_at ?? new Date().toISOString()).slice(0, 10))
  const [found, setFound] = useState<readonly IncidentCandidate[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = async () => {
    setProblem(null)
    try {
      const { candidates } = await readStory(story, day === '' ? null : day)
      setFound(candidates)
      if (candidates[0]) onChoose(candidates[0], story)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setFound(null)
      setProblem(error.message)
    }
  }
  useEffect(() => {
    if (given !== null) void read()
  }, [])
  return (
    <details class="story-reader" open={given !== null}>
      <summary>Fill in from a story</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void read()
        }}
      >
        <Field label="The story, as it was published" wide>
          <textarea
            required
            rows={6}
            maxLength={MAX_STORY_LENGTH}
            value={story}
            onInput={(event) => setStory(event.currentTarget.value)}
          />
        </Field>
        <div class="row-of-buttons">
          <Field label="Published on">
            <input type="date" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
          </Field>
          <button type="submit" class="button">
            Read the story
          </button>
        </div>
      </form>
      <div role="status">
        {problem !== null && <p class="form-message">{problem}</p>}
        {found?.length === 0 && <p>The story reports no incident that the service can read.</p>}
        {found?.length === 1 && <p>The form below is filled in. Check each field against the words beneath it.</p>}
        {found !== null && found.length > 1 && (
          <>
            <p>The story reports {found.length} incidents. File each by itself; the form below has the marked one.</p>
            <div class="row-of-buttons">
              {found.map((candidate, index) => (
                <button
                  type="button"
                  key={`${index} ${candidate.type}`}
                  class="button small"
                  aria-pressed={candidate === chosen}
                  onClick={() => onChoose(candidate, story)}
                >
                  {candidateLabel(candidate)}
                </button>
              ))}
            </div>
          </>
        )}
      </div>
    </details>
  )
}
