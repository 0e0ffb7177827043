import { useState } from 'preact/hooks'
import { passkeyObstacle, signInWithPasskey } from '../shared/session/passkeys.ts'
import { messageOf, send } from '../shared/session/send.ts'

interface Properties {
  readonly mail: boolean
  readonly onSignedIn: () => void
  /** True beneath a link that may not work. */
  readonly isAlternative: boolean
}

/** Every way to sign in: passkey, mailed link, key. */
export function Ways({ mail, onSignedIn, isAlternative }: Properties) {
  const [message, setMessage] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setMessage(null)
    try {
      await work()
    } catch (error) {
      setMessage(messageOf(error))
    }
    setBusy(false)
  }
  const signInWith = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      onSignedIn()
    })
  return (
    <section>
      {isAlternative ? <h2>Other ways to sign in</h2> : <h1>Sign in</h1>}
      <p role="alert" class="failure">
        {message}
      </p>
      <div class="ways">
        {passkeyObstacle() === null && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => signInWith(signInWithPasskey)}>
            Sign in with a passkey
          </button>
        )}
        {mail ? <MailForm isBusy={isBusy} attempt={attempt} /> : <NoMail />}
        <KeyForm isBusy={isBusy} onKey={(key) => signInWith(() => send('POST', '/v1/sessions', { key }))} />
      </div>
    </section>
  )
}

function MailForm({ isBusy, attempt }: { isBusy: boolean; attempt: (work: () => Promise<void>) => Promise<void> }) {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    void attempt(async () => {
      await send('POST', '/v1/sessions/link', { email })
      setSentTo(email)
    })
  }
  return (
    <form class="way" onSubmit={submit}>
      <label for="email">E-mail address</label>
      <input
        id="email"
        type="email"
        autocomplete="username webauthn"
        required
        value={email}
        onInput={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <button type="submit" class="secondary" disabled={isBusy}>
        Mail me a link
      </button>
      <p role="status" class="quiet">
        {sentTo !== null &&
          `If ${sentTo} has an account here, a link is on its way. It works once, for 15 minutes. Look into the spam folder too.`}
      </p>
    </form>
  )
}

function NoMail() {
  return <p class="quiet">This service sends no mail. An admin can give you a sign-in link.</p>
}

function KeyForm({ isBusy, onKey }: { isBusy: boolean; onKey: (key: string) => Promise<void> }) {
  const [key, setKey] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    void onKey(key.trim())
  }
  return (
    <form class="way" onSubmit={submit}>
      <label for="key">Key</label>
      <input
        id="key"
        type="password"
        autocomplete="current-password"
        placeholder="inf_live_…"
        required
        value={key}
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <button type="submit" class="secondary" disabled={isBusy}>
        Sign in with a key
      </button>
    </form>
  )
}
