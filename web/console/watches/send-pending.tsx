import { useState } from 'preact/hooks'
import { numberText } from '../../shared/format.ts'
import { request } from '../../shared/parts/request.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Link } from '../parts/link.tsx'
import { useAction } from '../parts/use-action.ts'
import type { WatchEntry } from './types.ts'

/** Makes the messages due that wait for their next attempt, as after the repair of an endpoint. */
export function SendPending({ watch: { id, status } }: { watch: WatchEntry }) {
  const [pending, setPending] = useState<number | null>(null)
  const { isBusy, failure, run } = useAction()
  const isStopped = status === 'paused' || status === 'disabled'
  const send = () =>
    run(async () => {
      setPending(null)
      setPending((await request<{ pending: number }>('POST', `/v1/watches/${id}/retry`)).pending)
    })
  return (
    <section class="panel" aria-labelledby="pending-heading">
      <h2 id="pending-heading">Messages that wait</h2>
      <p class="quiet">
        A message that your endpoint refused is tried again after a while, and later each time.{' '}
        {isStopped ? 'They are sent when you resume the watch.' : 'Is it repaired? Then do not wait.'}
      </p>
      <div class="row-of-buttons">
        <button type="button" class="button" disabled={isBusy || isStopped} onClick={send}>
          Send pending now
        </button>
        <Link view="deliveries" query={{ watch: id, status: 'pending' }}>
          See them
        </Link>
      </div>
      <FailureNote failure={failure} />
      <div role="status">{pending !== null && <p>{pendingText(pending)}</p>}</div>
    </section>
  )
}

function pendingText(pending: number): string {
  if (pending === 0) return 'No message waits.'
  return pending === 1 ? 'One message is sent now.' : `${numberText(pending)} messages are sent now.`
}
