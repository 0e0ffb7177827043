import { useEffect, useRef, useState } from 'preact/hooks'
import { STATUSES, type Status } from '../../../../src/domain/incident.ts'
import { DESK_ORDERS, type DeskOrder, ORIGINS, type Origin } from '../../../../src/domain/moderation.ts'
import { Icon } from '../../../shared/components/icon.tsx'
import { numberText } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { deskCounts } from '../../queue/counts.ts'
import { type Claimed, queueFilter } from '../../queue/filter.ts'
import { clearSelection } from '../../queue/selection.ts'
import { openReport } from '../../report/current.ts'
import { ORDER_WORDS, ORIGIN_WORDS, STATUS_WORDS } from '../../words.ts'

const TYPING_MS = 200

export function QueueFilters() {
  const { status, origin, claimed, order } = useStore(queueFilter)
  const counts = useStore(deskCounts)
  const chooseStatus = (next: Status) => {
    clearSelection()
    openReport(null)
    queueFilter.patch({ status: next })
  }
  const count = (number: number | undefined) => (number === undefined ? '' : ` (${numberText(number)})`)
  return (
    <div class="queue-filters">
      <Search />
      <div class="selects">
        <select
          aria-label="Status"
          value={status}
          onChange={(event) => chooseStatus(event.currentTarget.value as Status)}
        >
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {STATUS_WORDS[each]}
              {count(counts?.status[each])}
            </option>
          ))}
        </select>
        <select
          aria-label="Order"
          value={order}
          onChange={(event) => queueFilter.patch({ order: event.currentTarget.value as DeskOrder })}
        >
          {DESK_ORDERS.map((each) => (
            <option key={each} value={each}>
              {ORDER_WORDS[each]}
            </option>
          ))}
        </select>
        <select
          aria-label="Origin"
          value={origin ?? ''}
          onChange={(event) => queueFilter.patch({ origin: (event.currentTarget.value || null) as Origin | null })}
        >
          <option value="">Every origin</option>
          {ORIGINS.map((each) => (
            <option key={each} value={each}>
              {ORIGIN_WORDS[each]}
              {status === 'reported' ? count(counts?.origin[each]) : ''}
            </option>
          ))}
        </select>
        <select
          aria-label="Claimed"
          value={claimed ?? ''}
          onChange={(event) => queueFilter.patch({ claimed: (event.currentTarget.value || null) as Claimed | null })}
        >
          <option value="">Claimed or not</option>
          <option value="me">By me{count(counts?.claimed.me)}</option>
          <option value="none">By nobody{count(counts?.claimed.none)}</option>
        </select>
      </div>
    </div>
  )
}

function Search() {
  const { words } = useStore(queueFilter)
  const [text, setText] = useState(words)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => setText(words), [words])
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => queueFilter.patch({ words: next }), TYPING_MS)
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    clearTimeout(timer.current)
    if (event.key === 'Escape') setText('')
    queueFilter.patch({ words: event.key === 'Escape' ? '' : text })
    ;(event.currentTarget as HTMLElement).blur()
  }
  return (
    <div class="search">
      <Icon name="search" />
      <input
        id="queue-search"
        type="search"
        placeholder="Search words, places, sources"
        aria-label="Search the queue"
        maxLength={200}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={leave}
      />
      <kbd>/</kbd>
    </div>
  )
}
