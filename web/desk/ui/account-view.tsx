import { AccountArea } from '../../shared/session/account-area.tsx'
import { currentPerson, hasScope } from '../session.ts'

/** Who is signed in, where, and with which rights. */
export function AccountView() {
  return (
    <main class="admin">
      <h1>Your account</h1>
      {!hasScope('report') && (
        <p>Your account has no rights at the desk. Ask an admin to make you a reporter or an editor.</p>
      )}
      <AccountArea me={currentPerson()} />
    </main>
  )
}
