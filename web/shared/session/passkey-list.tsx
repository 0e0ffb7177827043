import { useEffect, useState } from 'preact/hooks'
import { ago } from '../format.ts'
import { addPasskey, deviceName, type PasskeyEntry, passkeyObstacle } from './passkeys.ts'
import { messageOf, send } from './send.ts'

/** One's passkeys, with ways to add and remove them. */
export function PasskeyList() {
  const [entries, setEntries] = useState<readonly PasskeyEntry[] | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const [name, setName] = useState(deviceName(navigator.userAgent))
  const obstacle = passkeyObstacle()
  const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => setMessage(messageOf(error)))
  const load = async () => setEntries((await send<{ data: PasskeyEntry[] }>('GET', '/v1/passkeys')).data)
  useEffect(() => void attempt(load), [])

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
      <p role="status" class="account-message">
        {message}
      </p>
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
