import { useState } from 'preact/hooks'
import { ROLES } from '../../../../src/domain/accounts.ts'
import { dayText } from '../../../shared/format.ts'
import { Field } from '../../../shared/parts/field.tsx'
import { usePages } from '../../../shared/parts/load-pages.ts'
import { PageFoot } from '../../../shared/parts/page-foot.tsx'
import { request } from '../../../shared/parts/request.ts'
import { Table } from '../../../shared/parts/table.tsx'
import { showRefusal } from '../../decisions/show-refusal.ts'
import { showToast } from '../../decisions/toasts.ts'
import { personId } from '../../session.ts'
import { Invitation } from './invitation.tsx'

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
