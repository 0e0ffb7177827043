import { currentPerson, hasScope } from '../session.ts'

/** Who is signed in, with which rights. */
export function AccountView() {
  const { name, role } = currentPerson()
  return (
    <main class="admin">
      <h1>Your account</h1>
      <p>
        {name}, {role}.
      </p>
      {!hasScope('report') && (
        <p>Your account has no rights at the desk. Ask an admin to make you a reporter or an editor.</p>
      )}
    </main>
  )
}
