import { useState } from 'preact/hooks'
import { ROLES } from '../../../src/domain/accounts.ts'
import { CopyButton } from '../../shared/components.tsx'
import { Field, PageFoot, Table, usePages } from '../../shared/parts/controls.tsx'
import { RequestError, request } from '../../shared/parts/request.ts'
import { dayText } from '../../shared/text.ts'
import { personId } from '../person.ts'
import { showRefusal, showToast } from '../toasts.tsx'

interface Account {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly role: string
  readonly status: 'active' | 'blocked'
  readonly created_at: string
}

/** Accounts with their roles, the newest first. */
export function MembersView() {
  const [role, setRole] = useState('')
  const [email, setEmail] = useState('')
  const list = usePages<Account>('/v1/admin/accounts', { role, email })
  const change = async (account: Account, changes: object, done: string) => {
    const isDone = await showRefusal(request('PATCH', `/v1/admin/accounts/${account.id}`, { body: changes }))
    if (isDone) showToast('done', `${account.name ?? account.email ?? account.id} ${done}`)
    list.reload()
  }
  return (
    <main class="admin">
      <h1>Members</h1>
      <Invitation onInvited={list.reload} />
      <div class="fields admin-filter">
        <Field label="Role">
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            <option value="">Every role</option>
            {ROLES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </Field>
        <Field label="E-mail address">
          <input type="email" value={email} onChange={(event) => setEmail(event.currentTarget.value.trim())} />
        </Field>
      </div>
      <Table columns={['Name', 'E-mail', 'Since', 'Role']} action="Block">
        {list.items.map((account) => (
          <tr key={account.id} class={account.status}>
            <td>
              {account.name ?? <span class="quiet">no name</span>}
              {account.id === personId() && <span class="tag">you</span>}
              {account.status === 'blocked' && <span class="tag claimed">blocked</span>}
            </td>
            <td>{account.email ?? <span class="quiet">none</span>}</td>
            <td class="nowrap">{dayText(account.created_at)}</td>
            <td>
              <select
                aria-label={`Role of ${account.name ?? account.email ?? account.id}`}
                value={account.role}
                onChange={(event) =>
                  void change(account, { role: event.currentTarget.value }, `is now ${event.currentTarget.value}.`)
                }
              >
                {ROLES.map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            </td>
            <td>
              {account.status === 'active' ? (
                <button
                  type="button"
                  class="button small"
                  onClick={() => void change(account, { status: 'blocked' }, 'is blocked: all keys and sessions end.')}
                >
                  Block
                </button>
              ) : (
                <button
                  type="button"
                  class="button small"
                  onClick={() => void change(account, { status: 'active' }, 'is no longer blocked.')}
                >
                  Unblock
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <PageFoot list={list} empty="No account matches." />
    </main>
  )
}

interface InvitationAnswer {
  /** With a link for the admin to pass on, if no mail could be sent. */
  readonly invitation: { readonly url: string | null; readonly mailed: boolean }
}

/** Opens an account for a colleague, who gets a link to sign in with. */
export function Invitation({ onInvited }: { onInvited: () => void }) {
  const [form, setForm] = useState({ email: '', name: '', role: 'editor' })
  const [result, setResult] = useState<{ text: string; link: string | null; isFailure: boolean } | null>(null)
  const set = (name: keyof typeof form) => (event: Event) =>
    setForm({ ...form, [name]: (event.currentTarget as HTMLInputElement).value })
  const invite = async () => {
    try {
      const body = { email: form.email.trim(), name: form.name.trim(), role: form.role }
      const { invitation } = await request<InvitationAnswer>('POST', '/v1/admin/accounts', { body })
      const link = invitation.url
      setResult({
        text: link === null ? `${body.name} was invited by mail.` : `Send this link to ${body.name}. It signs in once:`,
        link,
        isFailure: false,
      })
      setForm({ email: '', name: '', role: 'editor' })
      onInvited()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setResult({ text: error.message, link: null, isFailure: true })
    }
  }
  return (
    <form
      class="invitation"
      aria-label="Invite a colleague"
      onSubmit={(event) => {
        event.preventDefault()
        void invite()
      }}
    >
      <div class="fields">
        <Field label="Name">
          <input required maxLength={100} value={form.name} onInput={set('name')} />
        </Field>
        <Field label="E-mail address">
          <input required type="email" maxLength={254} value={form.email} onInput={set('email')} />
        </Field>
        <Field label="Role">
          <select value={form.role} onChange={set('role')}>
            {ROLES.filter((role) => role !== 'client').map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
          </select>
        </Field>
        <button type="submit" class="button primary">
          Invite
        </button>
      </div>
      {result !== null && (
        <p class={result.isFailure ? 'form-message' : 'form-done'} role="status">
          {result.text} {result.link !== null && <code class="link">{result.link}</code>}{' '}
          {result.link !== null && <CopyButton text={result.link}>Copy</CopyButton>}
        </p>
      )}
    </form>
  )
}
