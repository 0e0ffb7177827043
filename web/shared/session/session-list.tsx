import { useEffect, useState } from 'preact/hooks'
import { ago } from '../format.ts'
import { messageOf, send } from './send.ts'
import { type SessionEntry, signOut, signOutEverywhere } from './session.ts'

const METHODS = { key: 'with a key', link: 'with a link', passkey: 'with a passkey' } as const

/** Where one is signed in, each with a way to end it. */
export function SessionList() {
  const [entries, setEntries] = useState<readonly SessionEntry[] | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => setMessage(messageOf(error)))
  const load = async () => setEntries((await send<{ data: SessionEntry[] }>('GET', '/v1/sessions')).data)
  useEffect(() => void attempt(load), [])

  const end = (entry: SessionEntry) =>
    attempt(async () => {
      if (entry.current) return signOut()
      await send('DELETE', `/v1/sessions/${entry.id}`)
      await load()
    })
  return (
    <section class="account-part" aria-labelledby="sessions-heading">
      <h2 id="sessions-heading">Where you are signed in</h2>
      <p role="status" class="account-message">
        {message}
      </p>
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
      <button type="button" class="account-button" onClick={() => attempt(signOutEverywhere)}>
        Sign out everywhere
      </button>
    </section>
  )
}

/** Enough to recognise a browser; the rest of what it says of itself is noise. */
export function browserName(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser =
    [/(Edg|OPR|Firefox|Chrome|Safari)[\w]*\/(\d+)/].map((pattern) => pattern.exec(text)).find((found) => found) ?? null
  const system = /Android|iPhone|iPad|Mac OS|Windows|Linux/.exec(text)?.[0]
  if (browser === null) return text.slice(0, 60) || 'Unknown browser'
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser[1]!] ?? browser[1]!
  return `${name} ${browser[2]}${system ? ` on ${system}` : ''}`
}
