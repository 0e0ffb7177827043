import { useState } from 'preact/hooks'
import { useStore } from '../../shared/store.ts'
import { useAction } from '../parts/use-action.ts'
import { hasSessionEnded, signInWithKey } from '../person.ts'
import { addressOf, place } from '../view.ts'

/** Signs in again without leaving the page, so that a half-filled form is not lost. */
export function SessionNotice() {
  const [key, setKey] = useState('')
  const { isBusy, failure, run } = useAction()
  const here = addressOf(useStore(place))
  if (!useStore(hasSessionEnded)) return null
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await run(() => signInWithKey(key.trim()))) setKey('')
  }
  return (
    <section class="notice failed session-notice" aria-label="Signing in again">
      <p role="alert">Your session has ended. What you have entered on this page is kept.</p>
      <form onSubmit={submit}>
        <label>
          <span class="hidden">Key</span>
          <input
            type="password"
            autocomplete="current-password"
            placeholder="inf_live_…"
            required
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary" disabled={isBusy}>
          Sign in with a key
        </button>
        <a href={`/sign-in?next=${encodeURIComponent(here)}`}>Other ways to sign in</a>
      </form>
      {failure !== null && <p role="alert">{failure.message}</p>}
    </section>
  )
}
