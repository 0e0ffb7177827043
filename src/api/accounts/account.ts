import Type from 'typebox'
import { replacementCap } from '../../accounts/keys.ts'
import { dayOf } from '../../accounts/usage-meter.ts'
import type { Config } from '../../config/settings.ts'
import { ACCOUNT_STATUSES, type Account, LIMIT_NAMES, type LimitName, ROLES } from '../../domain/accounts.ts'
import type { Store } from '../../store/store.ts'
import { type AccountQuotas, limitOf, MINUTE_LIMITS } from '../auth/quotas.ts'
import { Count, Flag, Named, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { timeResponse } from '../response.ts'

export const accountFields = {
  id: Text('The id, such as `acc_01jd8z0c5x…`.'),
  email: Nullable(Type.String({ description: 'In small letters, its domain in ASCII.' })),
  email_verified: Flag('Whether a mailed link has proved the address. Other mail goes to verified addresses only.'),
  email_claimed: Flag(
    'Whether the address is only a claim: whoever opened the account typed it, and neither a mailed link nor an operator has shown that it is theirs. A mailed link to it leads to another account; when that is opened, this one names the address no more.',
  ),
  name: Nullable(Type.String()),
  role: OneOf(
    ROLES,
    'What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`.',
  ),
  status: OneOf(
    ACCOUNT_STATUSES,
    '`deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it.',
  ),
  created_at: Time('When the account was opened.'),
}

NamedObject('Quota', {
  limit: Type.Integer({ minimum: 0 }),
  used: Count('Streams: on this node. Others: over all keys and nodes.'),
  window_seconds: Nullable(Type.Integer({ description: 'Null if the limit has no time window.' })),
  limit_with_replacements: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Only of `keys`: the most valid keys while some replace others. Rotating, a mailed link to a new key and an admin may add keys up to it; `POST /v1/keys` only up to `limit`.',
    }),
  ),
})

NamedObject('Quotas', Object.fromEntries(LIMIT_NAMES.map((name) => [name, Type.Optional(Type.Ref('Quota'))])), {
  description: 'Every limit with what is used of it.',
})

Named(
  'UsageDays',
  Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      requests: Type.Integer({ minimum: 0 }),
    }),
    { description: 'Requests by all keys of the account for each of the last 30 days (UTC), oldest first.' },
  ),
)

export function accountResponse(account: Account) {
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerifiedAt !== null,
    email_claimed: account.email !== null && !account.ownsEmail,
    name: account.name,
    role: account.role,
    status: account.status,
    created_at: timeResponse(account.createdAt),
  }
}

export async function accountResponses(store: Store, accounts: readonly Account[], now: number) {
  const ids = accounts.map(({ id }) => id)
  const usage = await store.usage.byAccount(ids, firstUsageDay(now))
  const requests = new Map(usage.map((used) => [used.accountId, used.requests]))
  return accounts.map((account) => ({
    ...accountResponse(account),
    limits: account.limits,
    requests_last_30_days: requests.get(account.id) ?? 0,
  }))
}

/** Each of the last 30 days, those without requests too. */
export async function usageDaysOf(store: Store, accountId: string, now: number) {
  const used = new Map((await store.usage.byDay(accountId, firstUsageDay(now))).map((day) => [day.day, day.requests]))
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const day = dayOf(now - (USAGE_DAYS - 1 - index) * DAY_MS)
    return { day, requests: used.get(day) ?? 0 }
  })
}

export async function quotasOf(account: Account, store: Store, quotas: AccountQuotas, config: Config, now: number) {
  const used: Partial<Record<LimitName, number>> = {
    keys: await store.keys.countValid(account.id, now),
    watches: await store.accounts.countWatches(account.id),
    areas: await store.areas.count(account.id),
    site_lists: await store.siteLists.count(account.id),
    streams: quotas.connections.openOf(account.id),
  }
  for (const name of MINUTE_LIMITS) used[name] = await quotas.usedOf(account, name)
  const entries = LIMIT_NAMES.map((name) => [
    name,
    {
      limit: limitOf(config, account, name),
      used: used[name] ?? 0,
      window_seconds: (MINUTE_LIMITS as readonly LimitName[]).includes(name) ? 60 : null,
      ...(name === 'keys' ? { limit_with_replacements: replacementCap(limitOf(config, account, name)).valid } : {}),
    },
  ])
  return Object.fromEntries(entries) as Record<
    LimitName,
    { limit: number; used: number; window_seconds: number | null; limit_with_replacements?: number }
  >
}

const DAY_MS = 86_400_000

/** Usage is shown for so many days, today included. */
const USAGE_DAYS = 30

export function firstUsageDay(now: number): string {
  return dayOf(now - (USAGE_DAYS - 1) * DAY_MS)
}
