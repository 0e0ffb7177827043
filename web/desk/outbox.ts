import type { Status } from '../../src/domain/incident.ts'
import { RequestError, request } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'

interface Move {
  readonly from: readonly Status[]
  /** The verb on its button. */
  readonly verb: string
  readonly done: string
  /** Whether the incident leaves the list of its status. */
  readonly leaves: boolean
}

const ANY: readonly Status[] = ['reported', 'confirmed', 'rejected', 'retracted', 'merged']

/** Every decision of an editor, with the statuses that allow it. */
export const MOVES = {
  confirm: { from: ['reported'], verb: 'Confirm', done: 'Confirmed', leaves: true },
  reject: { from: ['reported'], verb: 'Reject', done: 'Rejected', leaves: true },
  merge: { from: ['reported', 'confirmed'], verb: 'Merge', done: 'Merged', leaves: true },
  retract: { from: ['confirmed'], verb: 'Retract', done: 'Retracted', leaves: true },
  reopen: { from: ['rejected'], verb: 'Reopen', done: 'Reopened', leaves: true },
  restore: { from: ['retracted'], verb: 'Restore', done: 'Restored', leaves: true },
  unmerge: { from: ['merged'], verb: 'Unmerge', done: 'Unmerged', leaves: true },
  note: { from: ANY, verb: 'Note', done: 'Noted', leaves: false },
  redact: { from: ANY, verb: 'Redact', done: 'Redacted', leaves: false },
  undo: { from: [], verb: 'Undo', done: 'Undone', leaves: false },
} as const satisfies Record<string, Move>
export type MoveName = keyof typeof MOVES

export function allows(move: MoveName, status: Status): boolean {
  return (MOVES[move].from as readonly Status[]).includes(status)
}

/** A decision as it is sent; plain data, so that it survives a reload of the page. */
export interface Decision {
  /** The Idempotency-Key: however often it is sent, it happens once. */
  readonly key: string
  readonly move: MoveName
  readonly ids: readonly string[]
  readonly path: string
  readonly body: object
  /** The version that the editor saw, for `If-Match`. */
  readonly version: number | null
  /** The key of the decision that this one undoes. */
  readonly undoes?: string
}

interface OutboxListener {
  /**
   * Returns the request to send instead, if it depends on an earlier answer; null if it cannot be
   * sent.
   */
  prepare(decision: Decision): Decision | null
  done(decision: Decision, answer: unknown): void
  refused(decision: Decision, error: RequestError): void
  signedOut(): void
}

/**
 * The number of decisions without an answer, and why the first of them has none; null while it is
 * simply on its way.
 */
export const outboxState = createStore<{ readonly waiting: number; readonly trouble: string | null }>({
  waiting: 0,
  trouble: null,
})

const [FIRST_WAIT_MS, MAX_WAIT_MS] = [400, 8000]

let prefix = ''
let listener: OutboxListener | null = null
const waiting: Decision[] = []
let isSending = false
let wake = () => {}

/** Takes up what an earlier page has left, and sends everything that is added. */
export function startOutbox(accountId: string, handlers: OutboxListener): void {
  prefix = `desk-decision:${accountId}:`
  listener = handlers
  const left = Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  for (const name of left.toSorted()) waiting.push(JSON.parse(localStorage.getItem(name)!) as Decision)
  addEventListener('online', () => wake())
  void sendAll()
}

/** Adds a decision. It is kept in the browser until the service has answered. */
export function send(decision: Decision): void {
  waiting.push(decision)
  localStorage.setItem(prefix + decision.key, JSON.stringify(decision))
  void sendAll()
}

/** Keys begin with the time, so that what an earlier page left is sent in its order. */
export function newKey(): string {
  return `${Date.now().toString(36)}-${crypto.randomUUID()}`
}

/** Tries again at once, as when the stream is connected again. */
export function retryNow(): void {
  wake()
}

async function sendAll(): Promise<void> {
  publish(outboxState.get().trouble)
  if (isSending) return
  isSending = true
  let failures = 0
  while (waiting.length > 0) {
    const outcome = await sendFirst()
    if (outcome === 'answered') {
      failures = 0
      publish(null)
      continue
    }
    publish(outcome.message)
    if (outcome.status === 401) {
      listener!.signedOut()
      break
    }
    const pause = Math.max(outcome.retryAfterMs, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  isSending = false
}

async function sendFirst(): Promise<'answered' | RequestError> {
  const first = waiting[0]!
  const decision = listener!.prepare(first)
  const finish = () => {
    waiting.shift()
    localStorage.removeItem(prefix + first.key)
  }
  if (decision === null) {
    finish()
    listener!.refused(first, new RequestError(409, 'not_undoable', 'What should be undone is no longer known.'))
    return 'answered'
  }
  try {
    const { path, body, version, key } = decision
    const answer = await request<unknown>('POST', path, { body, version, idempotencyKey: key })
    finish()
    listener!.done(decision, answer)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    if (error.isPassing || error.status === 401) return error
    finish()
    listener!.refused(decision, error)
  }
  return 'answered'
}

function publish(trouble: string | null): void {
  outboxState.set({ waiting: waiting.length, trouble: waiting.length === 0 ? null : trouble })
}
