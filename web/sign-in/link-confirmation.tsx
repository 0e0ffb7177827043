import { useState } from 'preact/hooks'
import { messageOf, SendError, send } from '../shared/session/send.ts'

interface Properties {
  readonly token: string
  readonly onSignedIn: () => void
  /** Who is signed in in this browser already. */
  readonly signedInAs: string | null
}

/** Asks for a click before it spends the link: mail scanners open links, but do not click. */
export function LinkConfirmation({ token, onSignedIn, signedInAs }: Properties) {
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
      setSpent(error instanceof SendError && (error.status === 404 || error.status === 410))
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
