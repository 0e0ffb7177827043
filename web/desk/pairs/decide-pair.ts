import { RequestError, request } from '../../shared/parts/request.ts'
import { incidentPath } from '../api/desk-api.ts'
import type { DeskIncident } from '../api/types.ts'
import { newKey } from '../decisions/outbox.ts'
import { showToast } from '../decisions/toasts.ts'
import { shortened, undoable, undoLast } from '../decisions/undo.ts'
import { noteIncident } from '../report/details.ts'
import { dropPair, type Pair, pairKey, reloadPairs } from './pairs.ts'

type Two = Pick<Pair, 'incident' | 'other'>

interface DismissedPair {
  readonly key: string
  readonly pair: Two
  /** Settles once the service has answered; false if it refused. */
  readonly done: Promise<boolean>
}

const dismissed: DismissedPair[] = []

/** Keeps that two are not the same: they leave the list at once. */
export function dismissPair(pair: Two): Promise<boolean> {
  dropPair(pairKey(pair))
  const key = newKey()
  const done = send(pair, 'dismiss', key)
  dismissed.push({ key, pair, done })
  showToast('done', `Not the same: “${shortened(pair.incident.summary)}”`, {
    label: 'Undo',
    key: 'u',
    run: undoLastPair,
  })
  return done
}

/** Offers two again that were told apart. */
export function offerPair(pair: Two): Promise<boolean> {
  dropPair(pairKey(pair))
  const done = send(pair, 'offer', newKey())
  void done.then((isDone) => isDone && showToast('done', `Offered again: “${shortened(pair.incident.summary)}”`))
  return done
}

/** Takes back what was decided last in this page: a pair, or a merge. */
export function undoLastPair(): void {
  const last = dismissed.at(-1)
  const merge = undoable.get().at(-1)
  // Keys begin with the time.
  if (last === undefined || (merge !== undefined && merge.key > last.key)) {
    undoLast()
    return
  }
  dismissed.pop()
  // Undone only once it is done: the requests must not pass each other.
  void last.done.then(async (isDone) => {
    if (isDone) await offerPair(last.pair)
    reloadPairs()
  })
}

async function send({ incident, other }: Two, move: 'dismiss' | 'offer', idempotencyKey: string): Promise<boolean> {
  const path = incidentPath(incident.id, `duplicates/${encodeURIComponent(other.id)}/${move}`)
  const seen = move === 'dismiss' ? { version: incident.version, other_version: other.version } : {}
  try {
    noteIncident(await request<DeskIncident>('POST', path, { body: seen, idempotencyKey }))
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    showToast('failed', error.message)
    reloadPairs()
    return false
  }
}
