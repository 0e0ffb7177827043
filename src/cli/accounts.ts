import { MAP_ACCOUNT_ID } from '../accounts/keys.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import {
  ACCOUNT_STATUSES,
  type Account,
  type AccountPatch,
  type AccountStatus,
  confirmsDeletion,
  deletionConfirmation,
  ROLES,
  type Role,
} from '../domain/accounts.ts'
import { openStore } from '../store/open.ts'
import { createMember, MEMBERS_USAGE, printSignInLink } from './members.ts'
import { onRecord } from './on-record.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'

const USAGE = `incident-feed accounts list [--email …] [--role ${ROLES.join('|')}] [--status ${ACCOUNT_STATUSES.join('|')}]
incident-feed accounts block acc_…
incident-feed accounts unblock acc_…
incident-feed accounts role acc_… ${ROLES.join('|')}
incident-feed accounts delete acc_… --confirm <its e-mail address, or else its name or id>
${MEMBERS_USAGE}`

const ACTIONS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  list: listAccounts,
  block: (args) => changeAccount(args, { status: 'blocked' }),
  unblock: (args) => changeAccount(args, { status: 'active' }),
  role: changeRole,
  delete: deleteAccount,
  create: createMember,
  'sign-in-link': printSignInLink,
}

/** Accounts listed per query. */
const BATCH = 500

export async function accountsCommand([action = '', ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (run === undefined)
    throw new ConfigError(`the actions of accounts are ${Object.keys(ACTIONS).join(', ')}\n\n${USAGE}`)
  await run(args)
}

async function listAccounts(args: readonly string[]): Promise<void> {
  const options = {
    email: { type: 'string' },
    role: { type: 'string' },
    status: { type: 'string' },
    'database-url': { type: 'string' },
  } as const
  const { values } = parseOptions({ args: [...args], options }, USAGE)
  const filter = {
    ...(values.email === undefined ? {} : { email: values.email }),
    ...(values.role === undefined ? {} : { role: requireRole(values.role) }),
    ...(values.status === undefined ? {} : { status: requireStatus(values.status) }),
  }
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  for (let before: string | null = null; ; ) {
    const accounts: Account[] = await store.accounts.list(filter, BATCH, before)
    for (const account of accounts) console.log(line(account))
    if (accounts.length < BATCH) return
    before = accounts.at(-1)!.id
  }
}

/** Texts that users wrote are quoted: a terminal would obey control characters. */
function line({ id, role, status, email, emailVerifiedAt, name }: Account): string {
  const address = email === null ? '-' : `${JSON.stringify(email)}${emailVerifiedAt === null ? ' (not verified)' : ''}`
  return [id, role, status, address, JSON.stringify(name ?? '')].join('\t')
}

async function changeRole(args: readonly string[]): Promise<void> {
  const role = args.find((word) => (ROLES as readonly string[]).includes(word))
  if (role === undefined) throw new ConfigError(`the roles are ${ROLES.join(', ')}\n\n${USAGE}`)
  await changeAccount(
    args.filter((word) => word !== role),
    { role: requireRole(role) },
  )
}

async function changeAccount(args: readonly string[], patch: AccountPatch): Promise<void> {
  const options = { 'database-url': { type: 'string' } } as const
  const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true }, USAGE)
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new ConfigError(`name one account\n\n${USAGE}`)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const account = await store.accounts.find(id)
  if (account === null) throw new ConfigError(`there is no account ${id}`)
  const { role, status } = account
  const act = { action: 'account.change', subject: id, before: { role, status }, after: { role, status, ...patch } }
  const changed = await onRecord(store, act).accounts.change(id, patch, Date.now())
  if (changed === null) throw new ConfigError(`there is no account ${id}`)
  if (changed === 'last_admin')
    throw new ConfigError(
      `${id} is the last admin that can sign in; create another first: incident-feed accounts create --role admin`,
    )
  console.log(`${line(changed)}\nRunning nodes follow within two seconds.`)
}

/** Deletes an account as its owner would with `DELETE /v1/me`. */
async function deleteAccount(args: readonly string[]): Promise<void> {
  const options = { confirm: { type: 'string' }, 'database-url': { type: 'string' } } as const
  const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true }, USAGE)
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new ConfigError(`name one account\n\n${USAGE}`)
  if (id === MAP_ACCOUNT_ID) throw new ConfigError(`${id} is the account of the public map, which needs it`)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const account = await store.accounts.find(id)
  if (account === null) throw new ConfigError(`there is no account ${id}`)
  const { status } = account
  if (status === 'deleted') throw new ConfigError(`${id} was deleted before`)
  if (!confirmsDeletion(account, values.confirm ?? ''))
    throw new ConfigError(`nothing was deleted: --confirm takes the ${deletionConfirmation(account)} of ${id}`)
  const act = { action: 'account.delete', subject: id, before: { status }, after: { status: 'deleted' } }
  const removed = await onRecord(store, act).accounts.remove(id, Date.now())
  if (removed === null) throw new ConfigError(`${id} was deleted before`)
  if (removed === 'has_role')
    throw new ConfigError(
      `${id} has the role ${account.role}; take it away first: incident-feed accounts role ${id} client`,
    )
  console.log(`${id} is deleted, with its watches, areas, passkeys and keys.\nRunning nodes follow within two seconds.`)
}

function requireRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role === undefined) throw new ConfigError(`--role takes ${ROLES.join(', ')}, not ${JSON.stringify(text)}`)
  return role
}

function requireStatus(text: string): AccountStatus {
  const status = ACCOUNT_STATUSES.find((known) => known === text)
  if (status === undefined)
    throw new ConfigError(`--status takes ${ACCOUNT_STATUSES.join(', ')}, not ${JSON.stringify(text)}`)
  return status
}
