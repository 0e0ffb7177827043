import { useState } from 'preact/hooks'
import type { IssuedKey, Key } from '../../client/src/generated/types.ts'
import type { Scope } from '../../src/domain/keys.ts'
import { Button, Dialog, Field, Select, submits, typed } from '../shared/parts/controls.tsx'
import { RequestError, request } from '../shared/parts/request.ts'
import { useStore } from '../shared/store.ts'
import { useAction } from './actions.ts'
import { ConfirmDialog, FailureNote } from './parts.tsx'
import { hasSessionEnded, person, serverNow } from './person.ts'

export type OpenKeyDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate'; readonly entry: Key }
  | { readonly kind: 'delete'; readonly entry: Key; readonly isOwn: boolean }

interface KeyDialogProperties {
  readonly open: OpenKeyDialog
  readonly onClose: () => void
  readonly onIssued: (key: IssuedKey) => void
  readonly onDone: () => void
}

/** The dialog that a button of the list of keys opens. */
export function KeyDialog({ open, onClose, onIssued, onDone }: KeyDialogProperties) {
  if (open.kind === 'create') return <CreateKeyDialog onClose={onClose} onIssued={onIssued} />
  if (open.kind === 'delete')
    return <DeleteKeyDialog entry={open.entry} isOwn={open.isOwn} onClose={onClose} onDone={onDone} />
  if (open.kind === 'edit') return <EditKeyDialog entry={open.entry} onClose={onClose} onDone={onDone} />
  return <RotateKeyDialog entry={open.entry} onClose={onClose} onIssued={onIssued} />
}

const DAY_MS = 86_400_000
/** Days until the key expires; 0 is never. */
const EXPIRIES = { '0': 'Never', '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' }
const KINDS = {
  live: 'Secret, for programs and servers',
  publishable: 'Publishable, for web pages: it only reads',
} as const

function CreateKeyDialog({ onClose, onIssued }: { onClose: () => void; onIssued: (key: IssuedKey) => void }) {
  const available = useStore(person)?.scopes ?? []
  const [name, setName] = useState('')
  const [kind, setKind] = useState<keyof typeof KINDS>('live')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'watch'])
  const [origins, setOrigins] = useState('')
  const [days, setDays] = useState<keyof typeof EXPIRIES>('0')
  const { isBusy, failure, run } = useAction()
  const submit = submits(() =>
    run(async () => {
      const body = {
        kind,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(kind === 'live' ? { scopes } : { origins: originsOf(origins) }),
        ...(days === '0' ? {} : { expires_at: new Date(serverNow() + Number(days) * DAY_MS).toISOString() }),
      }
      onIssued(await createKey(body))
    }),
  )
  return (
    <Dialog title="New key" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name">
          <input data-first maxLength={100} placeholder="production" {...typed(name, setName)} />
        </Field>
        <Field label="Kind">
          <Select value={kind} options={KINDS} onChoose={setKind} />
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
            <textarea rows={3} placeholder="https://example.org" {...typed(origins, setOrigins)} />
          </Field>
        )}
        <Field label="Expires">
          <Select value={days} options={EXPIRIES} onChoose={setDays} />
        </Field>
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button
            class="button primary"
            type="submit"
            label="Make the key"
            disabled={isBusy || (kind === 'live' && scopes.length === 0)}
          />
          <Button label="Cancel" onClick={onClose} />
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
async function createKey(body: object): Promise<IssuedKey> {
  try {
    return await request<IssuedKey>('POST', '/v1/keys', { body, idempotencyKey: crypto.randomUUID() })
  } catch (error) {
    if (!(error instanceof RequestError) || !error.fields.some(({ pointer }) => pointer === '/email')) throw error
    throw new RequestError(401, 'session_ended', error.message)
  }
}

function EditKeyDialog({ entry, onClose, onDone }: { entry: Key; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState(entry.name ?? '')
  const [origins, setOrigins] = useState(entry.origins.join('\n'))
  const { isBusy, failure, run } = useAction()
  const isPublishable = entry.kind === 'publishable'
  const submit = submits(() =>
    run(async () => {
      const body = { name: name.trim() || null, ...(isPublishable ? { origins: originsOf(origins) } : {}) }
      await request('PATCH', `/v1/keys/${entry.id}`, { body })
      onDone()
    }),
  )
  return (
    <Dialog title={`Edit ${keyName(entry)}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name">
          <input data-first maxLength={100} {...typed(name, setName)} />
        </Field>
        {isPublishable && (
          <Field label="Origins that may use it, one in each line; none allows any">
            <textarea rows={4} {...typed(origins, setOrigins)} />
          </Field>
        )}
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button class="button primary" type="submit" label="Save" disabled={isBusy} />
          <Button label="Cancel" onClick={onClose} />
        </div>
      </form>
    </Dialog>
  )
}

function RotateKeyDialog({
  entry,
  onClose,
  onIssued,
}: {
  entry: Key
  onClose: () => void
  onIssued: (key: IssuedKey) => void
}) {
  const rotate = async () =>
    onIssued(await request<IssuedKey>('POST', `/v1/keys/${entry.id}/rotate`, { idempotencyKey: crypto.randomUUID() }))
  return (
    <ConfirmDialog title={`Replace ${keyName(entry)}`} action="Replace it" onConfirm={rotate} onClose={onClose}>
      <p>You get a new key that may do the same. The old one works for another 24 hours, then it ends.</p>
    </ConfirmDialog>
  )
}

interface DeleteKeyDialogProperties {
  readonly entry: Key
  /** Whether this page is signed in with the key. */
  readonly isOwn: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

function DeleteKeyDialog({ entry, isOwn, onClose, onDone }: DeleteKeyDialogProperties) {
  const [isLast, setLast] = useState(false)
  const remove = async () => {
    try {
      await request('DELETE', `/v1/keys/${entry.id}${isLast ? '?confirm=last' : ''}`)
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'last_key')) throw error
      setLast(true)
      return
    }
    if (isOwn) hasSessionEnded.set(true)
    onDone()
  }
  return (
    <ConfirmDialog
      title={`Delete ${keyName(entry)}`}
      action={isLast ? 'Delete my last key' : 'Delete it'}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p>Programs that use it are refused from now on. This cannot be taken back.</p>
      {isOwn && <p>This page is signed in with it: you will have to sign in again.</p>}
      <div role="status">
        {isLast && (
          <p>
            <strong>It is your last key.</strong> Without one you come back only by a mailed link or a passkey; if you
            have neither, make another key first.
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}

/** Reads origins that are written one in each line, or with commas. */
function originsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((origin) => origin.replace(/\/$/, ''))
    .filter((origin) => origin !== '')
}

export function isValid({ revoked_at, expires_at }: Key, now: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now)
}

export function keyName({ name, hint }: Pick<Key, 'name' | 'hint'>): string {
  return name ?? `Key …${hint}`
}
