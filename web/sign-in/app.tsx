import { useEffect, useState } from 'preact/hooks'
import { AccountArea } from '../shared/session/account-area.tsx'
import { messageOf } from '../shared/session/send.ts'
import { type Me, nameOf, signOut, startSession } from '../shared/session/session.ts'
import { LinkConfirmation } from './link-confirmation.tsx'
import { Ways } from './ways.tsx'

/** What the server knows when it sends the page. */
export interface InitialData {
  /** `unknown` if the browser kept its cookie back, because another site led here. */
  readonly session: 'yes' | 'no' | 'unknown'
  /** Whether the service can mail a link. */
  readonly mail: boolean
}

const DESK = '/desk'

export function App({ data, token, next }: { data: InitialData; token: string | null; next: string | null }) {
  const [me, setMe] = useState<Me | null>(null)
  const [asking, setAsking] = useState(data.session !== 'no')
  useEffect(() => {
    if (asking) void findSession()
  }, [])

  async function findSession(): Promise<void> {
    const state = await startSession()
    // Signed in already: whoever was sent here to sign in goes straight back.
    if (state.phase === 'signed-in' && next !== null && token === null) return location.replace(next)
    if (state.phase === 'signed-in') setMe(state.me)
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

function Account({ me }: { me: Me }) {
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
