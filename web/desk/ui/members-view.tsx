import { useState } from 'preact/hooks'
import { ROLES, type Role } from '../../../src/domain/accounts.ts'
import { CopyButton } from '../../shared/components.tsx'
import { Button, Field, PageFoot, Select, submits, Table, typed, usePages } from '../../shared/parts/controls.tsx'
import { RequestError, request } from '../../shared/parts/request.ts'
import { dayText } from '../../shared/text.ts'
import type { Account } from '../desk-api.ts'
import { personId } from '../person.ts'
import { showRefusal, showToast } from '../toasts.tsx'

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
  const block = (account: Account) => change(account, { status: 'blocked' }, 'is blocked: all keys and sessions end.')
  const unblock = (account: Account) => change(account, { status: 'active' }, 'is no longer blocked.')
  return (
    <main class="admin">
      <h1>Members</h1>
      <Invitation onInvited={list.reload} />
      <div class="fields admin-filter">
        <Field label="Role">
          <Select value={role} none="Every role" options={ROLES} onChoose={setRole} />
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
            <td>
              {account.email ?? <span class="quiet">none</span>}
              {account.email_claimed && <span class="quiet block">Not confirmed: mailed links lead elsewhere.</span>}
            </td>
            <td class="nowrap">{dayText(account.created_at)}</td>
            <td>
              <Select
                aria-label={`Role of ${account.name ?? account.email ?? account.id}`}
                value={account.role}
                options={ROLES}
                onChoose={(next) => void change(account, { role: next }, `is now ${next}.`)}
              />
            </td>
            <td>
              <Button
                class="button small"
                label={account.status === 'active' ? 'Block' : 'Unblock'}
                onClick={() => void (account.status === 'active' ? block(account) : unblock(account))}
              />
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

const NOBODY = { email: '', name: '', role: 'editor' as Role }

/** Opens an account for a colleague, who gets a link to sign in with. */
function Invitation({ onInvited }: { onInvited: () => void }) {
  const [form, setForm] = useState(NOBODY)
  const [result, setResult] = useState<{ text: string; link: string | null; isFailure: boolean } | null>(null)
  const set = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value })
  const invite = async () => {
    try {
      const body = { email: form.email.trim(), name: form.name.trim(), role: form.role }
      const { invitation } = await request<InvitationAnswer>('POST', '/v1/admin/accounts', { body })
      const { url: link } = invitation
      setResult({
        text: link === null ? `${body.name} was invited by mail.` : `Send this link to ${body.name}. It signs in once:`,
        link,
        isFailure: false,
      })
      setForm(NOBODY)
      onInvited()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setResult({ text: error.message, link: null, isFailure: true })
    }
  }
  return (
    <form class="invitation" aria-label="Invite a colleague" onSubmit={submits(invite)}>
      <div class="fields">
        <Field label="Name">
          <input required maxLength={100} {...typed(form.name, set('name'))} />
        </Field>
        <Field label="E-mail address">
          <input required type="email" maxLength={254} {...typed(form.email, set('email'))} />
        </Field>
        <Field label="Role">
          <Select value={form.role} options={ROLES.filter((role) => role !== 'client')} onChoose={set('role')} />
        </Field>
        <Button class="button primary" type="submit" label="Invite" />
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
