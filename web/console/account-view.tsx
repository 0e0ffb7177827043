import { useState } from 'preact/hooks'
import { confirmsDeletion, deletionConfirmation } from '../../src/domain/accounts.ts'
import { AccountArea } from '../shared/parts/account-area.tsx'
import { Button, Dialog, Field, submits, typed } from '../shared/parts/controls.tsx'
import { request } from '../shared/parts/request.ts'
import { type Person, signOut } from '../shared/parts/session.ts'
import { useStore } from '../shared/store.ts'
import { dayText, numberText } from '../shared/text.ts'
import { useAction } from './actions.ts'
import { FailureNote } from './parts.tsx'
import { hasLeft, person, readPerson } from './person.ts'
import { show } from './view.ts'

/** The person, where they are signed in, and the way out. */
export function AccountView() {
  const me = useStore(person)
  const { isBusy, failure, run } = useAction()
  if (me === null) return <p class="quiet">Loading.</p>
  const {
    id,
    name,
    role,
    email,
    email_verified: isVerified,
    email_claimed: isClaimed,
    created_at: createdAt,
  } = me.account
  return (
    <>
      <div class="page-head">
        <h1>Account</h1>
        <Button label="Sign out" disabled={isBusy} onClick={() => run(signOut)} />
      </div>
      <FailureNote failure={failure} />
      <section class="panel">
        <dl class="facts">
          <dt>E-mail</dt>
          <dd>
            {email ?? 'none'}
            {email !== null && !isVerified && (
              <span class="quiet block">
                {isClaimed
                  ? 'Nobody has confirmed it: signing in by mail opens an account apart, with keys of its own.'
                  : 'Not confirmed: a mailed sign-in link confirms it.'}
              </span>
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

/** Changes the name of the account; an empty one takes it away. */
function NameForm({ name: before }: { name: string | null }) {
  const [name, setName] = useState(before ?? '')
  const [isSaved, setSaved] = useState(false)
  const { isBusy, failure, run } = useAction()
  const isChanged = name.trim() !== (before ?? '')
  const submit = async (event: Event) => {
    event.preventDefault()
    const saved = await run(async () => {
      await request('PATCH', '/v1/me', { body: { name: name.trim() || null } })
      await readPerson()
    })
    setSaved(saved)
  }
  return (
    <form class="name-form" onSubmit={submit}>
      <div class="row-of-buttons">
        <Field label="Name">
          <input
            maxLength={100}
            autocomplete="name"
            placeholder="none"
            value={name}
            onInput={({ currentTarget }) => {
              setSaved(false)
              setName(currentTarget.value)
            }}
          />
        </Field>
        <Button type="submit" label="Save the name" disabled={isBusy || !isChanged} />
      </div>
      <p role="status" class="quiet">
        {isSaved && !isChanged ? 'Saved.' : ''}
      </p>
      <FailureNote failure={failure} />
    </form>
  )
}

/** The way out for good: says plainly what goes, and asks for the address of the account. */
function DeleteAccount({ me }: { me: Person }) {
  const [isAsking, setAsking] = useState(false)
  const isMember = me.account.role !== 'client'
  return (
    <section class="panel" aria-labelledby="delete-heading">
      <h2 id="delete-heading">Delete this account</h2>
      {isMember ? (
        <p>
          You are {me.account.role} at the desk here. An admin has to take that role away first; then you can delete the
          account.
        </p>
      ) : (
        <>
          <p>For good: everything that belongs to it goes, and no program of yours gets in any more.</p>
          <Button class="button danger" label="Delete this account…" onClick={() => setAsking(true)} />
        </>
      )}
      {isAsking && <DeleteDialog me={me} onClose={() => setAsking(false)} />}
    </section>
  )
}

function DeleteDialog({ me, onClose }: { me: Person; onClose: () => void }) {
  const [confirm, setConfirm] = useState('')
  const { isBusy, failure, run } = useAction()
  const { account } = me
  const submit = submits(() =>
    run(async () => {
      await request('DELETE', '/v1/me', { body: { confirm: confirm.trim() } })
      hasLeft.set(true)
      show('start')
      person.set(null)
    }),
  )
  return (
    <Dialog title="Delete this account" onClose={onClose}>
      <form class="dialog-body" onSubmit={submit}>
        <p>These go at once, and nobody can bring them back:</p>
        <ul class="going">
          <li>
            {countText(me, 'watches', 'watch', 'watches')} with secrets, headers and messages: nothing more is sent
          </li>
          <li>{countText(me, 'areas', 'saved area', 'saved areas')}</li>
          <li>{countText(me, 'site_lists', 'list of sites', 'lists of sites')}</li>
          <li>{countText(me, 'keys', 'key', 'keys')}: programs that use one are refused, open streams end</li>
          <li>your passkeys, every sign-in, your address and your name</li>
        </ul>
        <p class="quiet">
          How many requests were made stays on record, without your name. You can sign up again with the same address.
        </p>
        <Field label={`To confirm, write the ${deletionConfirmation(account)}: ${phraseOf(me)}`}>
          <input required autocomplete="off" spellcheck={false} maxLength={254} {...typed(confirm, setConfirm)} />
        </Field>
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button
            class="button danger"
            type="submit"
            label="Delete my account for good"
            disabled={isBusy || !confirmsDeletion(account, confirm)}
          />
          <Button label="Cancel" data-first onClick={onClose} />
        </div>
      </form>
    </Dialog>
  )
}

function phraseOf({ account }: Person): string {
  return account.email ?? account.name ?? account.id
}

function countText(
  { quotas }: Person,
  name: 'watches' | 'areas' | 'site_lists' | 'keys',
  one: string,
  many: string,
): string {
  const used = quotas[name]?.used ?? 0
  if (used === 0) return `no ${many}`
  return used === 1 ? `one ${one}` : `${numberText(used)} ${many}`
}
