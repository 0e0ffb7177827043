import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AccountArea } from '../shared/parts/account-area.tsx'
import { messageOf, RequestError } from '../shared/parts/request.ts'
import {
  nameOf,
  type Person,
  passkeyObstacle,
  readPerson,
  send,
  signInWithPasskey,
  signOut,
} from '../shared/parts/session.ts'

/** The server's knowledge when it sends the page. */
export interface InitialData {
  /** `unknown` if the browser kept its cookie back, because another site led here. */
  readonly session: 'yes' | 'no' | 'unknown'
  /** Whether the service can mail a link. */
  readonly mail: boolean
}

const DESK = '/desk'

export function App({ data, token, next }: { data: InitialData; token: string | null; next: string | null }) {
  const [me, setMe] = useState<Person | null>(null)
  const [asking, setAsking] = useState(data.session !== 'no')
  useEffect(() => {
    if (asking) void findSession()
  }, [])

  async function findSession(): Promise<void> {
    // Without an answer the page offers what works without a session.
    const found = await readPerson().catch(() => null)
    // Signed in already: whoever was sent here to sign in goes straight back.
    if (found !== null && next !== null && token === null) return location.replace(next)
    setMe(found)
    setAsking(false)
  }
  const goOn = () => location.replace(next ?? DESK)
  return (
    <>
      <header class="bar">
        <a class="name" href="/">
          Incident Feed
        </a>
      </header>
      <main class="card">
        {asking && <p role="status">One moment …</p>}
        {!asking && token !== null && (
          <LinkConfirmation token={token} onSignedIn={goOn} signedInAs={me && nameOf(me)} />
        )}
        {!asking && me !== null && token === null && <Account me={me} />}
        {!asking && me === null && <Ways mail={data.mail} onSignedIn={goOn} isAlternative={token !== null} />}
      </main>
    </>
  )
}

function Account({ me }: { me: Person }) {
  const [message, setMessage] = useState<string | null>(null)
  return (
    <>
      <h1>You are signed in</h1>
      <p class="actions">
        <a class="primary" href={DESK}>
          Go to the desk
        </a>
        <button
          type="button"
          class="account-button"
          onClick={() => signOut().catch((error: unknown) => setMessage(messageOf(error)))}
        >
          Sign out
        </button>
      </p>
      <p role="alert">{message}</p>
      <AccountArea me={me} />
    </>
  )
}

interface LinkProperties {
  readonly token: string
  readonly onSignedIn: () => void
  /** The name of the person who is signed in in this browser already. */
  readonly signedInAs: string | null
}

/** Asks for a click before it spends the link: mail scanners open links, but do not click. */
function LinkConfirmation({ token, onSignedIn, signedInAs }: LinkProperties) {
  const [message, setMessage] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSpent, setSpent] = useState(false)
  const signIn = async () => {
    setBusy(true)
    setMessage(null)
    try {
      await send('POST', '/v1/sessions', { token })
      onSignedIn()
    } catch (error) {
      setMessage(messageOf(error))
      setSpent(error instanceof RequestError && (error.status === 404 || error.status === 410))
      setBusy(false)
    }
  }
  return (
    <section>
      <h1>{isSpent ? 'This link does not work' : 'Sign in with your link'}</h1>
      <p role="alert" class="failure">
        {message}
      </p>
      {!isSpent && (
        <>
          <p>
            {signedInAs === null
              ? 'The link signs you in in this browser. It works once.'
              : `You are signed in as ${signedInAs}. The link signs you in as the person it was made for.`}
          </p>
          <button type="button" class="primary" disabled={isBusy} onClick={signIn}>
            Sign in
          </button>
        </>
      )}
    </section>
  )
}

interface WaysProperties {
  readonly mail: boolean
  readonly onSignedIn: () => void
  /** True beneath a link that may not work. */
  readonly isAlternative: boolean
}

/** Every way to sign in: passkey, mailed link, key. */
function Ways({ mail, onSignedIn, isAlternative }: WaysProperties) {
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
        {mail ? (
          <MailForm isBusy={isBusy} attempt={attempt} />
        ) : (
          <p class="quiet">This service sends no mail. An admin can give you a sign-in link.</p>
        )}
        <WayForm
          label="Key"
          field={{ id: 'key', type: 'password', autocomplete: 'current-password', placeholder: 'inf_live_…' }}
          action="Sign in with a key"
          isBusy={isBusy}
          onGiven={(key) => signInWith(() => send('POST', '/v1/sessions', { key: key.trim() }))}
        />
      </div>
    </section>
  )
}

function MailForm({ isBusy, attempt }: { isBusy: boolean; attempt: (work: () => Promise<void>) => Promise<void> }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const mail = (email: string) =>
    attempt(async () => {
      await send('POST', '/v1/sessions/link', { email })
      setSentTo(email)
    })
  const field = { id: 'email', type: 'email', autocomplete: 'username webauthn' } as const
  return (
    <WayForm label="E-mail address" field={field} action="Mail me a link" isBusy={isBusy} onGiven={mail}>
      <p role="status" class="quiet">
        {sentTo !== null &&
          `If ${sentTo} has an account here, a link is on its way. It works once, for 15 minutes. Look into the spam folder too.`}
      </p>
    </WayForm>
  )
}

interface WayFormProperties {
  readonly label: string
  readonly field: JSX.IntrinsicElements['input'] & { readonly id: string }
  readonly action: string
  readonly isBusy: boolean
  readonly onGiven: (value: string) => Promise<void>
  readonly children?: ComponentChildren
}

/** One field and the button that signs in with what it holds. */
function WayForm({ label, field, action, isBusy, onGiven, children }: WayFormProperties) {
  const [value, setValue] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    void onGiven(value)
  }
  return (
    <form class="way" onSubmit={submit}>
      <label for={field.id}>{label}</label>
      <input {...field} required value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      <button type="submit" class="secondary" disabled={isBusy}>
        {action}
      </button>
      {children}
    </form>
  )
}
