import { numberText } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { decideInBulk } from '../../decisions/decide.ts'
import { dialog } from '../../panels.ts'
import { deskCounts } from '../../queue/counts.ts'
import { shownRows } from '../../queue/decided.ts'
import { queueFilter } from '../../queue/filter.ts'
import { loadQueue, queue } from '../../queue/queue.ts'
import { clearSelection, selection, toggleAll } from '../../queue/selection.ts'
import { QueueFilters } from './queue-filters.tsx'
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
