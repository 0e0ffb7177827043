import { useState } from 'preact/hooks'
import { useStore } from '../../shared/store.ts'
import { initialData } from '../initial-data.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { SecretBox } from '../parts/secret-box.tsx'
import { useAction } from '../parts/use-action.ts'
import { hasLeft, signInWithKey } from '../person.ts'
import { addressOf, place } from '../view.ts'
import { newKey, signUp } from './new-key.ts'

/** The first thing a developer sees: one field, one click, one key. */
export function SignUpView() {
  const here = addressOf(useStore(place))
  return (
    <div class="welcome">
      {useStore(hasLeft) && (
        <p class="panel" role="status">
          Your account is deleted. Nothing more is sent, and none of your keys works any more.
        </p>
      )}
      <h1>Security incidents in Nigeria, in your program</h1>
      <p>
        Confirmed incidents with place, time, casualties, sources and a confidence that says how sure it is: as a list,
        a live stream, signed webhooks and an archive.
      </p>
      {initialData.signUp === 'closed' ? (
        <p class="panel">
          The operator of this service gives out keys by hand. Ask them for one, then sign in with it.
        </p>
      ) : (
        <SignUpForm />
      )}
      <p>
        You have a key already? <a href={`/sign-in?next=${encodeURIComponent(here)}`}>Sign in</a>
      </p>
      <p class="quiet">
        Without a key: <a href="/">the map</a>, <a href="/docs">the guides</a>,{' '}
        <a href="/docs/reference">the reference</a>.
      </p>
    </div>
  )
}

function SignUpForm() {
  const [email, setEmail] = useState('')
  const [mailed, setMailed] = useState<string | null>(null)
  const key = useStore(newKey)
  const { isBusy, failure, run } = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const outcome = await signUp(email.trim())
      if (outcome !== 'signed-in') setMailed(outcome.mailed)
    })
  }
  if (key !== null)
    return (
      <div class="panel">
        <SecretBox label="Your key." secret={key}>
          It is shown only now: store it.
        </SecretBox>
        <FailureNote failure={failure} />
        <button type="button" class="button primary" disabled={isBusy} onClick={() => run(() => signInWithKey(key))}>
          Go on to the console
        </button>
      </div>
    )
  return (
    <form class="panel sign-up" onSubmit={submit}>
      <label for="email">E-mail address</label>
      <div class="sign-up-line">
        <input
          id="email"
          type="email"
          autocomplete="email"
          required
          maxLength={254}
          placeholder="you@example.org"
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={isBusy}>
          Get my key
        </button>
      </div>
      <FailureNote failure={failure} />
      <p role="status">{mailed}</p>
      <p class="quiet">
        {initialData.signUp === 'email'
          ? 'We mail you a link to your key.'
          : 'The key is on the next screen. We write to you only about your own watches.'}
      </p>
    </form>
  )
}
