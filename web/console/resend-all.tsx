import { useEffect, useState } from 'preact/hooks'
import { Button, Dialog } from '../shared/parts/controls.tsx'
import { type Page, RequestError, readPages, request } from '../shared/parts/request.ts'
import { numberText } from '../shared/text.ts'
import { useAction } from './actions.ts'
import { FILTER_CHOICES, type LogFilter } from './delivery-log.ts'
import { FailureNote } from './parts.tsx'

interface ResendAllProperties {
  readonly filter: LogFilter
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Says how many messages the filter matches, and sends them all again. */
export function ResendAll({ filter, onClose, onDone }: ResendAllProperties) {
  const [progress, setProgress] = useState<ResendProgress | null>(null)
  const [runId] = useState(() => crypto.randomUUID())
  const found = useMatchCount(filter)
  const [isDone, setDone] = useState(false)
  const { isBusy, failure, run } = useAction()
  const resend = async () =>
    setDone(await run(() => resendMatching(filter, runId, progress ?? NOTHING_SENT, setProgress)))
  return (
    <Dialog title="Send all of these again" onClose={isDone ? onDone : onClose}>
      <div class="dialog-body">
        <p>
          {filterWords(filter)} <strong>{countText(found)}</strong>
        </p>
        <p>
          Each is sent with the same <code>webhook-id</code> and the newest version of its incident.
        </p>
        <FailureNote failure={failure} />
        <div role="status">
          {progress !== null && (
            <p>
              <strong>{numberText(progress.sent)} sent again.</strong>
              {skippedText(progress.skipped)}
            </p>
          )}
        </div>
        <div class="row-of-buttons">
          {isDone ? (
            <Button class="button primary" label="Done" onClick={onDone} />
          ) : (
            <>
              <Button
                class="button primary"
                label={progress === null ? 'Send them again' : 'Go on'}
                disabled={isBusy || found === null}
                onClick={resend}
              />
              <Button label="Cancel" onClick={onClose} />
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function skippedText({ tests, retracted, inactive }: ResendProgress['skipped']): string {
  const parts = [
    tests > 0 && `${numberText(tests)} ${tests === 1 ? 'test' : 'tests'}`,
    retracted > 0 && `${numberText(retracted)} about retracted incidents`,
    inactive > 0 && `${numberText(inactive)} of watches that are not active`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : ` Left out: ${parts.join(', ')}.`
}

function filterWords({ status, event, since, watch, incident }: LogFilter): string {
  const parts = [
    status === undefined ? 'All' : `All ${status}`,
    event === undefined ? 'messages' : `${event} messages`,
    watch === undefined ? 'of every watch' : 'of this watch',
    incident === undefined ? '' : `about ${incident}`,
    since === undefined ? '' : `of the ${(FILTER_CHOICES.since[since] ?? since).toLowerCase()}`,
  ]
  return `${parts.filter((part) => part !== '').join(' ')}.`
}

/** The progress of sending again; `cursor` is null at the start and at the end. */
interface ResendProgress {
  readonly sent: number
  readonly skipped: { readonly tests: number; readonly retracted: number; readonly inactive: number }
  readonly cursor: string | null
}

const NOTHING_SENT: ResendProgress = {
  sent: 0,
  skipped: { tests: 0, retracted: 0, inactive: 0 },
  cursor: null,
}

interface ResendAnswer extends Pick<ResendProgress, 'skipped'> {
  readonly redelivered: number
  readonly next_cursor: string | null
}

/**
 * Sends all that the filter matches again, up to 1,000 per request, from where `start` has come to.
 * With the same `run`, a request whose answer was lost does not send its messages twice.
 */
async function resendMatching(
  filter: LogFilter,
  run: string,
  start: ResendProgress,
  onProgress: (progress: ResendProgress) => void,
): Promise<void> {
  const { watch, ...rest } = filter
  let progress = start
  do {
    const { cursor, skipped } = progress
    const body = { ...rest, ...(watch === undefined ? {} : { watch: [watch] }), ...(cursor === null ? {} : { cursor }) }
    const answer = await sendWhenAllowed(body, `${run}-${cursor ?? 'first'}`)
    progress = {
      sent: progress.sent + answer.redelivered,
      skipped: {
        tests: skipped.tests + answer.skipped.tests,
        retracted: skipped.retracted + answer.skipped.retracted,
        inactive: skipped.inactive + answer.skipped.inactive,
      },
      cursor: answer.next_cursor,
    }
    onProgress(progress)
  } while (progress.cursor !== null)
}

/** Waits where the service asks for it. */
async function sendWhenAllowed(body: object, idempotencyKey: string): Promise<ResendAnswer> {
  for (;;) {
    try {
      return await request<ResendAnswer>('POST', '/v1/deliveries/redeliver', { body, idempotencyKey })
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 429) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.max(1000, error.retryAfterMs)))
    }
  }
}

/** The API has no count; ten pages of the log are read at most. */
const MAX_PAGES = 10

/** `isAtLeast` if the log goes on after the pages that were read. */
interface MatchCount {
  readonly count: number
  readonly isAtLeast: boolean
}

async function countMatching(filter: LogFilter, signal: AbortSignal): Promise<MatchCount> {
  let [count, pages] = [0, 0]
  for await (const { data, next_cursor } of readPages<Page<unknown>>(
    '/v1/deliveries',
    { ...filter, limit: '100' },
    signal,
  )) {
    count += data.length
    if (next_cursor !== null && ++pages === MAX_PAGES) return { count, isAtLeast: true }
  }
  return { count, isAtLeast: false }
}

/** Counts what the filter matches, once; null until it is known, `unknown` if it cannot be. */
function useMatchCount(filter: LogFilter): MatchCount | 'unknown' | null {
  const [found, setFound] = useState<MatchCount | 'unknown' | null>(null)
  useEffect(() => {
    const stopping = new AbortController()
    countMatching(filter, stopping.signal)
      .then(setFound)
      // Sending does not need the count: a refusal is shown there.
      .catch(() => stopping.signal.aborted || setFound('unknown'))
    return () => stopping.abort()
  }, [])
  return found
}

function countText(found: MatchCount | 'unknown' | null): string {
  if (found === null) return 'Counting them.'
  if (found === 'unknown') return 'They could not be counted.'
  const { count, isAtLeast } = found
  if (isAtLeast) return `More than ${numberText(count)} messages.`
  return count === 1 ? 'One message.' : `${numberText(count)} messages.`
}
