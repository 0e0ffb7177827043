import { useEffect, useRef, useState } from 'preact/hooks'
import { STATUSES, type Status } from '../../../src/domain/incident.ts'
import { DESK_ORDERS, type DeskOrder, ORIGINS, type Origin } from '../../../src/domain/moderation.ts'
import { Icon } from '../../shared/components.tsx'
import { useStore } from '../../shared/store.ts'
import { numberText } from '../../shared/text.ts'
import { decideInBulk } from '../decisions.ts'
import { deskCounts } from '../live.ts'
import { clearSelection, loadQueue, queue, queueFilter, selection, shownRows, toggleAll } from '../queue.ts'
import type { Claimed } from '../queue-filter.ts'
import { openReport } from '../report.ts'
import { dialog } from '../view.ts'
import { ORDER_WORDS, ORIGIN_WORDS, STATUS_WORDS } from '../words.ts'
import { QueueList } from './queue-list.tsx'

export function QueuePanel() {
  const { phase, message } = useStore(queue)
  const rows = useStore(shownRows)
  return (
    <section class="queue" aria-label="Queue">
      <QueueFilters />
      <QueueHead />
      {phase === 'failed' && (
        <div class="empty">
          <p>{message}</p>
          <button type="button" class="button" onClick={() => void loadQueue()}>
            Try again
          </button>
        </div>
      )}
      {phase !== 'failed' && rows.length === 0 ? <EmptyQueue isLoading={phase === 'loading'} /> : <QueueList />}
    </section>
  )
}

function QueueHead() {
  const rows = useStore(shownRows)
  const { cursor } = useStore(queue)
  const counts = useStore(deskCounts)
  const { status, origin, claimed, words } = useStore(queueFilter)
  const chosen = useStore(selection)
  const isWhole = origin === null && claimed === null && words.trim() === ''
  const total = cursor === null ? rows.length : isWhole && counts !== null ? counts.status[status] : null
  if (chosen.size > 0) return <BulkBar />
  return (
    <div class="queue-head">
      <label class="select-all">
        <input
          type="checkbox"
          checked={false}
          onChange={() => toggleAll(rows.map(({ id }) => id))}
          aria-label="Select all that are loaded"
        />
      </label>
      <span class="quiet">
        {total === null
          ? `${numberText(rows.length)} loaded`
          : `${numberText(total)} ${total === 1 ? 'report' : 'reports'}`}
      </span>
    </div>
  )
}

function BulkBar() {
  const chosen = useStore(selection)
  const { status } = useStore(queueFilter)
  const ids = [...chosen]
  return (
    <div class="queue-head bulk" role="toolbar" aria-label="Decide on the selected reports">
      <strong>{chosen.size} selected</strong>
      <span class="grow" />
      {status === 'reported' && (
        <>
          <button type="button" class="button small" onClick={() => decideInBulk('confirm', ids, null)}>
            Confirm <kbd>c</kbd>
          </button>
          <button type="button" class="button small" onClick={() => dialog.set('bulk-reject')}>
            Reject <kbd>r</kbd>
          </button>
        </>
      )}
      {status === 'rejected' && (
        <button type="button" class="button small" onClick={() => decideInBulk('reopen', ids, null)}>
          Reopen
        </button>
      )}
      {status === 'retracted' && (
        <button type="button" class="button small" onClick={() => decideInBulk('restore', ids, null)}>
          Restore
        </button>
      )}
      <button type="button" class="text-button" onClick={clearSelection}>
        Clear
      </button>
    </div>
  )
}

function EmptyQueue({ isLoading }: { isLoading: boolean }) {
  const { status, origin, claimed, words } = useStore(queueFilter)
  const isFiltered = origin !== null || claimed !== null || words.trim() !== ''
  if (isLoading) return <p class="empty quiet">The queue is being loaded.</p>
  return (
    <div class="empty">
      <p>
        {isFiltered
          ? 'Nothing matches these filters.'
          : status === 'reported'
            ? 'All reports are decided.'
            : 'There is nothing here.'}
      </p>
      {isFiltered ? (
        <button
          type="button"
          class="button"
          onClick={() => queueFilter.patch({ origin: null, claimed: null, words: '' })}
        >
          Clear the filters
        </button>
      ) : (
        <p class="quiet">New ones appear here by themselves.</p>
      )}
    </div>
  )
}

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
