import { useEffect, useState } from 'preact/hooks'
import { usePages } from '../../shared/parts/load-pages.ts'
import { PageFoot } from '../../shared/parts/page-foot.tsx'
import { Table } from '../../shared/parts/table.tsx'
import { useStore } from '../../shared/store.ts'
import { SecretBox } from '../parts/secret-box.tsx'
import { useNow } from '../parts/use-now.ts'
import { hasSessionEnded, person, readPerson } from '../person.ts'
import { KeyDialog, type OpenKeyDialog } from './key-dialogs.tsx'
import { KeyRow } from './key-row.tsx'
import { Limits } from './limits.tsx'
import { isValid, type KeyEntry, keyName } from './types.ts'
import { UsageChart } from './usage-chart.tsx'

/** Keys, usage by day, and every limit with what is used of it. */
export function KeysView() {
  const keys = usePages<KeyEntry>('/v1/keys', {})
  const [dialog, setDialog] = useState<OpenKeyDialog | null>(null)
  const [issued, setIssued] = useState<{ name: string; key: string } | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  const me = useStore(person)
  const now = useNow()
  // Usage and limits are as old as the page otherwise. What is shown stays if they cannot be read.
  useEffect(() => {
    readPerson().then(
      (found) => found === null && hasSessionEnded.set(true),
      (error: unknown) => console.warn('Usage and limits could not be read again:', error),
    )
  }, [])
  const ended = keys.items.filter((key) => !isValid(key, now)).length
  const shown = showsAll ? keys.items : keys.items.filter((key) => isValid(key, now))
  const done = (key?: { name: string; key: string }) => {
    setDialog(null)
    if (key !== undefined) setIssued(key)
    keys.reload()
  }
  return (
    <>
      <div class="page-head">
        <h1>Keys and usage</h1>
        <button type="button" class="button primary" onClick={() => setDialog({ kind: 'create' })}>
          New key
        </button>
      </div>
      <div role="status">
        {issued !== null && (
          <div class="panel">
            <SecretBox label={`${issued.name}.`} secret={issued.key}>
              It is shown only now: store it.
            </SecretBox>
          </div>
        )}
      </div>
      <section class="panel" aria-labelledby="keys-heading">
        <h2 id="keys-heading">Keys</h2>
        <p class="quiet">
          One for each program, so that you can replace it without touching the others. Publishable keys only read, and
          may stand in a web page.
        </p>
        {shown.length > 0 && (
          <Table columns={['Name', 'May', 'Last used', '30 days', 'Ends']} action="What to do with the key">
            {shown.map((key) => (
              <KeyRow key={key.id} entry={key} now={now} session={me?.session ?? null} onOpen={setDialog} />
            ))}
          </Table>
        )}
        <PageFoot list={keys} empty="You have no key. Make one with “New key”." />
        {ended > 0 && (
          <button type="button" class="text-button" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Hide' : 'Show'} {ended === 1 ? 'one key that has ended' : `${ended} keys that have ended`}
          </button>
        )}
      </section>
      {me !== null && <UsageChart days={me.usage.days} />}
      {me !== null && <Limits quotas={me.quotas} />}
      {dialog !== null && (
        <KeyDialog
          open={dialog}
          onClose={() => setDialog(null)}
          onIssued={({ key, ...entry }) => done({ name: keyName(entry), key })}
          onDone={() => done()}
        />
      )}
    </>
  )
}
