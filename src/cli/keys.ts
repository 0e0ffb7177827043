import { addKey, type IssuedKey, openAccountIn, replacementCap } from '../accounts/keys.ts'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import { expandScopes, SCOPES_BY_ROLE } from '../domain/accounts.ts'
import { generateKey, type Key, keyState, normaliseOrigin, SCOPES } from '../domain/keys.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { Store } from '../store/store.ts'
import { addressTaken, requireAddress } from './accounts.ts'
import { openStoreOf, parseOneArgument, parseOptions, runAction, STORE_OPTIONS } from './arguments.ts'
import { allRows, auditedStore } from './audited-store.ts'
import type { Command, Terminal } from './terminal.ts'

const USAGE = `incident-feed keys create [--scope read,watch,report,review,admin,operate] [--publishable] [--origin https://…] [--rate 120] [--email …] [--name …]
incident-feed keys create --account acc_… [--scope …] [--publishable] [--origin …] [--name …]
incident-feed keys list [--account acc_…]
incident-feed keys revoke key_…
incident-feed keys generate`

const ACTIONS: Readonly<Record<string, Command>> = {
  create: createKey,
  list: listKeys,
  revoke: revokeKey,
  generate: async (_, terminal) => terminal.print(generateKey('live', randomBytes)),
}

const TEXT = { type: 'string' } as const

/** Keys listed per query. */
const BATCH = 500

export function keysCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  return runAction('keys', ACTIONS, args, terminal, USAGE)
}

async function createKey(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = readOptions(args)
  await using store = await openStoreOf(options, terminal)
  const { key, text } =
    options.account === null
      ? await openWithKey(store, options)
      : await addToAccount(store, options.account, options, terminal)
  terminal.print(text)
  terminal.printError(`${key.id} of ${key.accountId}, scopes: ${key.scopes.join(', ')}. The key is shown only once.`)
}

/** The operator vouches for the address: the account owns it. */
async function openWithKey(store: Store, options: ReturnType<typeof readOptions>): Promise<IssuedKey> {
  const { email, name } = options
  const owner = { email, name, ownsEmail: email !== null }
  const issued = await openAccountIn(creation(store), owner, options, Date.now())
  if (issued === 'address_taken') throw await addressTaken(store, email!)
  return issued
}

async function addToAccount(store: Store, id: string, options: ReturnType<typeof readOptions>, { env }: Terminal) {
  const account = await store.accounts.find(id)
  if (account === null || account.status === 'deleted') throw new ConfigError(`there is no account ${id}`)
  const allowed = SCOPES_BY_ROLE[account.role]
  const scopes = options.scopes ?? (options.kind === 'publishable' ? (['read'] as const) : allowed)
  if (!expandScopes(scopes).every((scope) => allowed.includes(scope)))
    throw new ConfigError(
      `${id} has the role ${account.role}, whose keys can have ${allowed.join(', ')}; incident-feed accounts role ${id} <role> changes that`,
    )
  const cap = replacementCap(account.limits.keys ?? readConfig(env, []).KEYS_PER_ACCOUNT)
  const outcome = await addKey(creation(store), id, { ...options, scopes }, cap, Date.now())
  if (typeof outcome === 'string')
    throw new ConfigError(`${id} has too many keys; incident-feed keys list --account ${id} shows them`)
  return outcome
}

function creation(store: Store) {
  return ({ key }: IssuedKey) => {
    const after = { account_id: key.accountId, scopes: key.scopes }
    return auditedStore(store, { action: 'key.create', subject: key.id, after })
  }
}

async function listKeys(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, { ...STORE_OPTIONS, account: TEXT }, USAGE)
  await using store = await openStoreOf(values, terminal)
  const pageAfter = (last: Key | null) => store.keys.list(values.account ?? null, BATCH, last?.id ?? null)
  for await (const key of allRows(BATCH, pageAfter)) {
    const columns = [key.id, key.accountId, key.kind, keyState(key, Date.now()), key.scopes.join(','), `…${key.hint}`]
    terminal.print([...columns, JSON.stringify(key.name ?? '')].join('\t'))
  }
}

async function revokeKey(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, given: id } = parseOneArgument(args, STORE_OPTIONS, 'name one key', USAGE)
  await using store = await openStoreOf(values, terminal)
  const key = await store.keys.find(id)
  if (key === null) throw new ConfigError(`there is no key ${id}`)
  const before = { account_id: key.accountId, scopes: key.scopes }
  const audited = auditedStore(store, { action: 'key.revoke', subject: id, before })
  await audited.keys.revoke(key.accountId, key.id, Date.now(), 'allow')
  terminal.print(`${id} is revoked; running nodes refuse it within two seconds.`)
}

function readOptions(args: readonly string[]) {
  const options = {
    ...STORE_OPTIONS,
    account: TEXT,
    scope: TEXT,
    publishable: { type: 'boolean' },
    origin: { type: 'string', multiple: true },
    rate: TEXT,
    email: TEXT,
    name: TEXT,
  } as const
  const values = parseOptions(args, options, USAGE)
  const scopes = values.scope?.split(',').map((scope) => scope.trim())
  const isBasic = (scope: string) => scope === 'read' || scope === 'watch'
  const isForOperators = scopes?.some((scope) => !isBasic(scope)) ?? false
  const unknown = scopes?.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new ConfigError(`--scope takes ${SCOPES.join(', ')}, not ${JSON.stringify(unknown)}`)
  if (values.rate !== undefined && !/^[1-9]\d{0,8}$/.test(values.rate))
    throw new ConfigError('--rate takes requests per minute, such as 120')
  if (values.publishable && scopes?.some((scope) => scope !== 'read'))
    throw new ConfigError('a publishable key can only have --scope read')
  if (values.account !== undefined && (values.email !== undefined || values.rate !== undefined))
    throw new ConfigError('--email and --rate are for a new account; --account names an existing one')
  return {
    kind: values.publishable ? ('publishable' as const) : ('live' as const),
    account: values.account ?? null,
    name: values.name ?? null,
    email: values.email === undefined ? null : requireAddress(values.email),
    origins: (values.origin ?? []).map(requireOrigin),
    ratePerMinute: values.rate === undefined ? null : Number(values.rate),
    'database-url': values['database-url'],
    create: values.create,
    // An operator also needs to read and watch: a key with `operate` alone would be useless.
    ...(scopes
      ? { scopes: SCOPES.filter((scope) => scopes.includes(scope) || (isForOperators && isBasic(scope))) }
      : {}),
  }
}

function requireOrigin(text: string): string {
  const origin = normaliseOrigin(text)
  if (origin === null) throw new ConfigError(`--origin takes an origin, such as https://example.org, not ${text}`)
  return origin
}
