import './account-area.css'
import { PasskeyList } from './passkey-list.tsx'
import type { Me } from './session.ts'
import { nameOf } from './session.ts'
import { SessionList } from './session-list.tsx'

/** Who one is, where one is signed in, and one's passkeys. */
export function AccountArea({ me }: { me: Me }) {
  const { email, role } = me.account
  return (
    <div class="account-area">
      <p>
        <strong>{nameOf(me)}</strong>, {role}
        {email !== null && email !== nameOf(me) && <span class="quiet block">{email}</span>}
      </p>
      <PasskeyList />
      <SessionList />
    </div>
  )
}
