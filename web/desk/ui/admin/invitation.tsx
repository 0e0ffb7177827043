import { useState } from 'preact/hooks'
import { ROLES } from '../../../../src/domain/accounts.ts'
import { CopyButton } from '../../../shared/components/copy-button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { RequestError, request } from '../../../shared/parts/request.ts'

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
