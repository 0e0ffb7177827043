import { goToSignIn } from '../../../shared/session/session.ts'
import { useStore } from '../../../shared/store.ts'
import { outboxState } from '../../decisions/outbox.ts'
import { liveState } from '../../queue/live.ts'
import { isSignedOut } from '../../session.ts'

/** Says what an outage means for the editor: what is shown may be old, nothing decided is lost. */
export function Notices() {
  const { waiting, trouble } = useStore(outboxState)
  const live = useStore(liveState)
  if (useStore(isSignedOut)) {
    return (
      <p class="notice failed" role="alert">
        Your session has ended. {waiting > 0 && 'Your decisions are kept in this browser. '}
        <button type="button" class="text-button" onClick={goToSignIn}>
          Sign in again
        </button>
      </p>
    )
  }
  if (trouble !== null) {
    return (
      <p class="notice failed" role="alert">
        {trouble} {waiting === 1 ? 'One decision waits' : `${waiting} decisions wait`} here and will be sent as soon as
        the service answers.
      </p>
    )
  }
  if (live === 'lost') {
    return (
      <p class="notice" role="status">
        The connection is lost: the queue may be out of date. The page reconnects by itself; go on working.
      </p>
    )
  }
  return null
}
