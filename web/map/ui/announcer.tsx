import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../src/domain/incident.ts'
import { incidents, whereOf } from '../../shared/format.ts'
import { onChange } from '../live/feed.ts'

const GATHER = 5000

/** Tells screen readers of what has come, several at a time: a voice that never stops helps nobody. */
export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let waiting: Incident[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = () => {
      timer = undefined
      const newest = waiting.at(-1)!
      setText(`${incidents(waiting.length)} new. ${newest.summary} ${whereOf(newest)}.`)
      waiting = []
    }
    const forget = onChange((change) => {
      if (change.kind !== 'arrived') return
      waiting.push(change.incident)
      timer ??= setTimeout(say, GATHER)
    })
    return () => {
      forget()
      clearTimeout(timer)
    }
  }, [])
  return (
    <p class="hidden" role="status" aria-live="polite">
      {text}
    </p>
  )
}
