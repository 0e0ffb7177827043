import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../src/domain/incident.ts'
import { t } from '../../shared/language.ts'
import { placeText } from '../../shared/text.ts'
import { currentQuestion } from '../data/question/current-question.ts'
import { isAnswer } from '../data/question/question.ts'
import { onFeedEvent } from '../live/feed.ts'

const BATCH_MS = 5000

/** Announces new incidents to screen readers, in batches so that a busy feed can be followed. */
export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let waiting: Incident[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const announce = () => {
      timer = undefined
      const newest = waiting.at(-1)!
      setText(t('panel.announced', { count: waiting.length, summary: newest.summary, place: placeText(newest) }))
      waiting = []
    }
    const unsubscribe = onFeedEvent((event) => {
      if (event.kind !== 'created' || !isAnswer(event.incident, currentQuestion.get())) return
      waiting.push(event.incident)
      timer ??= setTimeout(announce, BATCH_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [])
  return (
    <p class="hidden" role="status" aria-live="polite">
      {text}
    </p>
  )
}
