import { useEffect, useRef, useState } from 'preact/hooks'
import { STATUSES, type Status } from '../../../src/domain/incident.ts'
import { DESK_ORDERS, ORIGINS } from '../../../src/domain/moderation.ts'
import { Icon } from '../../shared/components.tsx'
import { Button, Select, typed } from '../../shared/parts/controls.tsx'
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
          <Button label="Try again" onClick={() => void loadQueue()} />
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
          <Button
            class="button small"
            label="Confirm"
            shortcut="c"
            onClick={() => decideInBulk('confirm', ids, null)}
          />
          <Button class="button small" label="Reject" shortcut="r" onClick={() => dialog.set('bulk-reject')} />
        </>
      )}
      {status === 'rejected' && (
        <Button class="button small" label="Reopen" onClick={() => decideInBulk('reopen', ids, null)} />
      )}
      {status === 'retracted' && (
        <Button class="button small" label="Restore" onClick={() => decideInBulk('restore', ids, null)} />
      )}
      <Button class="text-button" label="Clear" onClick={clearSelection} />
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
        <Button
          label="Clear the filters"
          onClick={() => queueFilter.patch({ origin: null, claimed: null, words: '' })}
        />
      ) : (
        <p class="quiet">New ones appear here by themselves.</p>
      )}
    </div>
  )
}

const TYPING_MS = 200

function QueueFilters() {
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
        <Select
          aria-label="Status"
          value={status}
          options={STATUSES}
          labelOf={(each) => `${STATUS_WORDS[each]}${count(counts?.status[each])}`}
          onChoose={chooseStatus}
        />
        <Select
          aria-label="Order"
          value={order}
          options={DESK_ORDERS}
          labelOf={(each) => ORDER_WORDS[each]}
          onChoose={(order) => queueFilter.patch({ order })}
        />
        <Select
          aria-label="Origin"
          value={origin ?? ''}
          none="Every origin"
          options={ORIGINS}
          labelOf={(each) => `${ORIGIN_WORDS[each]}${status === 'reported' ? count(counts?.origin[each]) : ''}`}
          onChoose={(value) => queueFilter.patch({ origin: value || null })}
        />
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
        onKeyDown={leave}
        {...typed(text, type)}
      />
      <kbd>/</kbd>
    </div>
  )
}
