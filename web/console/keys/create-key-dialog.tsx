import { useState } from 'preact/hooks'
import type { Scope } from '../../../src/domain/keys.ts'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { RequestError, request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { serverNow } from '../initial-data.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { person } from '../person.ts'
import { originsOf } from './origins.ts'
import type { IssuedKeyEntry } from './types.ts'

const DAY_MS = 86_400_000
/** Days until the key expires; 0 is never. */
const EXPIRIES = { 0: 'Never', 7: 'In 7 days', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' } as const

export function CreateKeyDialog({
  onClose,
  onIssued,
}: {
  onClose: () => void
  onIssued: (key: IssuedKeyEntry) => void
}) {
  const available = useStore(person)?.scopes ?? []
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'live' | 'publishable'>('live')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'watch'])
  const [origins, setOrigins] = useState('')
  const [days, setDays] = useState(0)
  const { isBusy, failure, run } = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const body = {
        kind,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(kind === 'live' ? { scopes } : { origins: originsOf(origins) }),
        ...(days === 0 ? {} : { expires_at: new Date(serverNow() + days * DAY_MS).toISOString() }),
      }
      onIssued(await createKey(body))
    })
  }
  return (
    <Dialog title="New key" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name">
          <input
            data-first
            maxLength={100}
            placeholder="production"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        <Field label="Kind">
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as 'live' | 'publishable')}>
            <option value="live">Secret, for programs and servers</option>
            <option value="publishable">Publishable, for web pages: it only reads</option>
          </select>
        </Field>
        {kind === 'live' ? (
          <fieldset class="checks">
            <legend>The key may</legend>
            {available.map((scope) => (
              <label key={scope}>
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={({ currentTarget }) =>
                    setScopes(currentTarget.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
                  }
                />
                {SCOPE_WORDS[scope] ?? scope}
              </label>
            ))}
          </fieldset>
        ) : (
          <Field label="Origins that may use it, one in each line; none allows any">
            <textarea
              rows={3}
              placeholder="https://example.org"
              value={origins}
              onInput={({ currentTarget }) => setOrigins(currentTarget.value)}
            />
          </Field>
        )}
        <Field label="Expires">
          <select value={days} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
            {Object.entries(EXPIRIES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <button type="submit" class="button primary" disabled={isBusy || (kind === 'live' && scopes.length === 0)}>
            Make the key
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const SCOPE_WORDS: Readonly<Partial<Record<Scope, string>>> = {
  read: 'read incidents (read)',
  watch: 'manage watches and keys (watch)',
  report: 'file reports (report)',
  review: 'decide at the desk (review)',
  admin: 'manage the service (admin)',
}

/** Without a session the endpoint is the sign-up, which asks for an address. */
async function createKey(body: object): Promise<IssuedKeyEntry> {
  try {
    return await request<IssuedKeyEntry>('POST', '/v1/keys', { body, idempotencyKey: crypto.randomUUID() })
  } catch (error) {
    if (!(error instanceof RequestError) || !error.fields.some(({ pointer }) => pointer === '/email')) throw error
    throw new RequestError(401, 'session_ended', error.message)
  }
}
