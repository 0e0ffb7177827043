import { ago, dayText, numberText } from '../../shared/format.ts'
import type { SessionEntry } from '../../shared/session/session.ts'
import type { OpenKeyDialog } from './key-dialogs.tsx'
import { isValid, type KeyEntry, keyName } from './types.ts'

interface KeyRowProperties {
  readonly entry: KeyEntry
  readonly now: number
  readonly session: SessionEntry | null
  readonly onOpen: (dialog: OpenKeyDialog) => void
}

export function KeyRow({ entry, now, session, onOpen }: KeyRowProperties) {
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
            <button type="button" class="text-button" onClick={() => onOpen({ kind: 'edit', entry })}>
              Edit<span class="hidden"> {name}</span>
            </button>
            <button type="button" class="text-button" onClick={() => onOpen({ kind: 'rotate', entry })}>
              Replace<span class="hidden"> {name}</span>
            </button>
            <button type="button" class="text-button" onClick={() => onOpen({ kind: 'delete', entry, isOwn })}>
              Delete<span class="hidden"> {name}</span>
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}

function endText({ revoked_at, expires_at }: KeyEntry, now: number): string {
  if (revoked_at !== null) return `deleted ${ago(revoked_at, now)}`
  if (expires_at === null) return 'never'
  const end = Date.parse(expires_at)
  return end > now ? dayText(end) : `ended ${ago(expires_at, now)}`
}
