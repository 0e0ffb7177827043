import './account-area.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../../client/src/generated/types.ts'
import { ago } from '../text.ts'
import { messageOf } from './request.ts'
import { addPasskey, nameOf, type PasskeyEntry, type Person, passkeyObstacle, send, signOut } from './session.ts'

/** The person, unless the page has named them, their passkeys, and where they are signed in. */
export function AccountArea({ me, isIntroduced = false }: { me: Person; isIntroduced?: boolean }) {
  const { email, role } = me.account
  return (
    <div class="account-area">
      {!isIntroduced && (
        <p>
          <strong>{nameOf(me)}</strong>, {role}
          {email !== null && email !== nameOf(me) && <span class="quiet block">{email}</span>}
        </p>
      )}
      <PasskeyList />
      <SessionList />
    </div>
  )
}

/** A list of the API that is read again after each change, and what was said about the last one. */
function useEntries<Entry>(path: string) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const load = async () => setEntries((await send<{ data: Entry[] }>('GET', path)).data)
  const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => setMessage(messageOf(error)))
  useEffect(() => void attempt(load), [])
  return { entries, message, setMessage, attempt, load }
}

function Message({ children }: { children: ComponentChildren }) {
  return (
    <p role="status" class="account-message">
      {children}
    </p>
  )
}

/** One's passkeys, with ways to add and remove them. */
function PasskeyList() {
  const { entries, message, setMessage, attempt, load } = useEntries<PasskeyEntry>('/v1/passkeys')
  const [name, setName] = useState(deviceName(navigator.userAgent))
  const obstacle = passkeyObstacle()
  const add = (event: Event) => {
    event.preventDefault()
    setMessage(null)
    attempt(async () => {
      const added = await addPasskey(name.trim() || 'Passkey')
      setMessage(`${added.name} was added.`)
      await load()
    })
  }
  const remove = (entry: PasskeyEntry) =>
    attempt(async () => {
      await send('DELETE', `/v1/passkeys/${entry.id}`)
      setMessage(`${entry.name} was removed.`)
      await load()
    })
  return (
    <section class="account-part" aria-labelledby="passkeys-heading">
      <h2 id="passkeys-heading">Passkeys</h2>
      <p class="quiet">A passkey signs you in with your finger, face or device code, and cannot be phished.</p>
      <Message>{message}</Message>
      <ul>
        {entries?.map((entry) => (
          <li key={entry.id} class="account-row">
            <span class="grow">
              {entry.name}
              <span class="quiet block">
                Added {ago(entry.created_at, Date.now())}
                {entry.last_used_at && `, last used ${ago(entry.last_used_at, Date.now())}`}
              </span>
            </span>
            <button type="button" class="account-button" onClick={() => remove(entry)}>
              Remove<span class="hidden"> {entry.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {obstacle === null ? (
        <form class="account-form" onSubmit={add}>
          <label>
            Name of this device
            <input value={name} maxLength={100} onInput={({ currentTarget }) => setName(currentTarget.value)} />
          </label>
          <button type="submit" class="account-button">
            Add a passkey
          </button>
        </form>
      ) : (
        <p class="quiet">{obstacle}</p>
      )}
    </section>
  )
}

const SYSTEMS = { Android: /android/i, iPhone: /iphone/i, iPad: /ipad/i, Mac: /mac os/i, Windows: /windows/i }

/** A first name for the device, which the person can change. */
function deviceName(userAgent: string): string {
  const found = Object.entries(SYSTEMS).find(([, pattern]) => pattern.test(userAgent))
  return found?.[0] ?? (/linux/i.test(userAgent) ? 'Linux computer' : 'This device')
}

const METHODS = { key: 'with a key', link: 'with a link', passkey: 'with a passkey' } as const

/** The browsers where one is signed in, each with a way to end it. */
function SessionList() {
  const { entries, message, attempt, load } = useEntries<Session>('/v1/sessions')
  const end = (entry: Session) =>
    attempt(async () => {
      if (entry.current) return signOut()
      await send('DELETE', `/v1/sessions/${entry.id}`)
      await load()
    })
  return (
    <section class="account-part" aria-labelledby="sessions-heading">
      <h2 id="sessions-heading">Where you are signed in</h2>
      <Message>{message}</Message>
      {entries === null && message === null && <p class="quiet">Loading …</p>}
      <ul>
        {entries?.map((entry) => (
          <li key={entry.id} class="account-row">
            <span class="grow">
              {browserName(entry.user_agent)}
              {entry.current && <strong> (this browser)</strong>}
              <span class="quiet block">
                Signed in {METHODS[entry.method]} {ago(entry.created_at, Date.now())}, last used{' '}
                {ago(entry.last_used_at, Date.now())}
              </span>
            </span>
            <button type="button" class="account-button" onClick={() => end(entry)}>
              Sign out<span class="hidden"> of {browserName(entry.user_agent)}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="account-button" onClick={() => attempt(() => signOut('everywhere'))}>
        Sign out everywhere
      </button>
    </section>
  )
}

/** Enough to recognise a browser; the rest of what it says of itself is noise. */
function browserName(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)[\w]*\/(\d+)/.exec(text)
  const system = /Android|iPhone|iPad|Mac OS|Windows|Linux/.exec(text)?.[0]
  if (browser === null) return text.slice(0, 60) || 'Unknown browser'
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser[1]!] ?? browser[1]!
  return `${name} ${browser[2]}${system ? ` on ${system}` : ''}`
}
