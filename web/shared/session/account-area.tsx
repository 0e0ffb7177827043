import './account-area.css'
import { PasskeyList } from './passkey-list.tsx'
import { type Me, nameOf } from './session.ts'
import { SessionList } from './session-list.tsx'

/** Who one is, unless the page has said so, one's passkeys, and where one is signed in. */
export function AccountArea({ me, isIntroduced = false }: { me: Me; isIntroduced?: boolean }) {
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
