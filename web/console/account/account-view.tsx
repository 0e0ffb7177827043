import { dayText } from '../../shared/format.ts'
import { AccountArea } from '../../shared/session/account-area.tsx'
import { signOut } from '../../shared/session/session.ts'
import { useStore } from '../../shared/store.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { person } from '../person.ts'
import { DeleteAccount } from './delete-account.tsx'
import { NameForm } from './name-form.tsx'

/** Who one is, where one is signed in, and the way out. */
export function AccountView() {
  const me = useStore(person)
  const { isBusy, failure, run } = useAction()
  if (me === null) return <p class="quiet">Loading.</p>
  const { id, name, role, email, email_verified: isVerified, created_at: createdAt } = me.account
  return (
    <>
      <div class="page-head">
        <h1>Account</h1>
        <button type="button" class="button" disabled={isBusy} onClick={() => run(signOut)}>
          Sign out
        </button>
      </div>
      <FailureNote failure={failure} />
      <section class="panel">
        <dl class="facts">
          <dt>E-mail</dt>
          <dd>
            {email ?? 'none'}
            {email !== null && !isVerified && (
              <span class="quiet block">Not verified: a mailed sign-in link verifies it.</span>
            )}
          </dd>
          <dt>Account</dt>
          <dd class="url">{id}</dd>
          <dt>Since</dt>
          <dd>{dayText(createdAt)}</dd>
          {role !== 'client' && (
            <>
              <dt>Role</dt>
              <dd>
                {role}
                <span class="quiet block">Colleagues know you by your name: an admin changes it.</span>
              </dd>
            </>
          )}
        </dl>
        {(role === 'client' || role === 'admin') && <NameForm name={name} />}
      </section>
      <section class="panel">
        <AccountArea me={me} isIntroduced />
      </section>
      <DeleteAccount me={me} />
    </>
  )
}
