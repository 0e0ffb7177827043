import { useEffect, useState } from 'preact/hooks'
import type { Key, Quota, Quotas, Session, UsageDays } from '../../client/src/generated/types.ts'
import type { LimitName } from '../../src/domain/accounts.ts'
import { Button, PageFoot, Table, usePages } from '../shared/parts/controls.tsx'
import { useStore } from '../shared/store.ts'
import { ago, dayText, numberText } from '../shared/text.ts'
import { isValid, KeyDialog, keyName, type OpenKeyDialog } from './key-dialogs.tsx'
import { SecretBox } from './parts.tsx'
import { hasSessionEnded, person, readPerson, useNow } from './person.ts'

/** Keys, usage by day, and every limit with what is used of it. */
export function KeysView() {
  const keys = usePages<Key>('/v1/keys', {})
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
        <Button class="button primary" label="New key" onClick={() => setDialog({ kind: 'create' })} />
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
          <Button
            class="text-button"
            label={`${showsAll ? 'Hide' : 'Show'} ${ended === 1 ? 'one key that has ended' : `${ended} keys that have ended`}`}
            onClick={() => setShowsAll(!showsAll)}
          />
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

interface KeyRowProperties {
  readonly entry: Key
  readonly now: number
  readonly session: Session | null
  readonly onOpen: (dialog: OpenKeyDialog) => void
}

function KeyRow({ entry, now, session, onOpen }: KeyRowProperties) {
  const name = keyName(entry)
  const isOwn = session?.key_id === entry.id
  return (
    <tr class={isValid(entry, now) ? undefined : 'ended'}>
      <td>
        {name}
        {isOwn && <span class="tag">this page</span>}
        <span class="quiet block">
          {entry.kind === 'live' ? 'inf_live_' : 'inf_pub_'}…{entry.hint}
        </span>
      </td>
      <td data-label="May">
        {entry.kind === 'publishable' ? 'read, publishable' : entry.scopes.join(', ')}
        {entry.origins.length > 0 && <span class="quiet block">from {entry.origins.join(', ')}</span>}
      </td>
      <td class="nowrap" data-label="Last used">
        {entry.last_used_at === null ? 'never' : ago(entry.last_used_at, now)}
      </td>
      <td class="number" data-label="30 days">
        {numberText(entry.requests_last_30_days)}
      </td>
      <td class="nowrap" data-label="Ends">
        {endText(entry, now)}
      </td>
      <td>
        {isValid(entry, now) && (
          <span class="row-actions">
            <Button class="text-button" label="Edit" about={name} onClick={() => onOpen({ kind: 'edit', entry })} />
            <Button
              class="text-button"
              label="Replace"
              about={name}
              onClick={() => onOpen({ kind: 'rotate', entry })}
            />
            <Button
              class="text-button"
              label="Delete"
              about={name}
              onClick={() => onOpen({ kind: 'delete', entry, isOwn })}
            />
          </span>
        )}
      </td>
    </tr>
  )
}

function endText({ revoked_at, expires_at }: Key, now: number): string {
  if (revoked_at !== null) return `deleted ${ago(revoked_at, now)}`
  if (expires_at === null) return 'never'
  const end = Date.parse(expires_at)
  return end > now ? dayText(end) : `ended ${ago(expires_at, now)}`
}

const [WIDTH, HEIGHT, GAP] = [720, 96, 3]

/** Requests by day, for 30 days. */
function UsageChart({ days }: { days: UsageDays }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const step = WIDTH / days.length
  const today = days.at(-1)?.requests ?? 0
  return (
    <section class="panel" aria-labelledby="usage-heading">
      <h2 id="usage-heading">Requests by day</h2>
      <p class="quiet">
        {numberText(total)} in 30 days, {numberText(today)} today (UTC). Highest: {numberText(most)}.
      </p>
      <svg
        class="usage-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Requests by day, 30 days"
      >
        {days.map(({ day, requests }, index) => {
          const height = requests === 0 ? 1 : Math.max(3, (requests / most) * HEIGHT)
          return (
            <rect
              key={day}
              class={requests === 0 ? 'bar-empty' : 'bar-used'}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
            >
              <title>{`${dayText(Date.parse(day))}: ${numberText(requests)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="chart-ends quiet">
        <span>{days[0] && dayText(Date.parse(days[0].day))}</span>
        <span>Today</span>
      </p>
    </section>
  )
}

/** Names of limits for people; one that this page does not know yet goes by its own name. */
const NAMES: Readonly<Record<LimitName, string>> = {
  requests_per_minute: 'Requests a minute',
  publishable_requests_per_minute: 'Requests a minute with publishable keys',
  keys: 'Keys',
  watches: 'Watches',
  areas: 'Saved areas',
  site_lists: 'Site lists',
  streams: 'Open streams',
  watch_tests_per_minute: 'Test messages a minute',
  previews_per_minute: 'Previews a minute',
  site_uploads_per_minute: 'Uploads of sites a minute',
}

/** Every limit with what is used of it. */
function Limits({ quotas }: { quotas: Quotas }) {
  return (
    <section class="panel" aria-labelledby="limits-heading">
      <h2 id="limits-heading">Limits</h2>
      <dl class="limits">
        {(Object.entries(quotas) as [LimitName, Quota][]).map(([name, quota]) => {
          const { limit, used, limit_with_replacements: most } = quota
          const label = NAMES[name] ?? name.replaceAll('_', ' ')
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <span>
                  {numberText(used)} of {numberText(limit)}
                  {most !== undefined && `; ${numberText(most)} while some are replaced`}
                </span>
                <meter min={0} max={Math.max(1, limit)} value={used} aria-label={label} class="confidence" />
              </dd>
            </div>
          )
        })}
      </dl>
      <p class="quiet">
        They count for the account, over all its keys. Every answer says what is left: <a href="/docs/limits">limits</a>
        .
      </p>
    </section>
  )
}
