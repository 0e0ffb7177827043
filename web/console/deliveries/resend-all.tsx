import { useState } from 'preact/hooks'
import { numberText } from '../../shared/format.ts'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { countText, useMatchCount } from './count-matching.ts'
import { FILTER_CHOICES, type LogFilter } from './log-filter.ts'
import { NOTHING_SENT, type ResendProgress, resendMatching } from './resend-matching.ts'

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
            <button type="button" class="button primary" onClick={onDone}>
              Done
            </button>
          ) : (
            <>
              <button type="button" class="button primary" disabled={isBusy || found === null} onClick={resend}>
                {progress === null ? 'Send them again' : 'Go on'}
              </button>
              <button type="button" class="button" onClick={onClose}>
                Cancel
              </button>
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
