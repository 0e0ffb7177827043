import { MAP_ACCOUNT_ID } from '../accounts/keys.ts'
import { INVITATION_VALID_MS, issueSignInLink, type NewLink, newMember } from '../accounts/sign-in.ts'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import {
  ACCOUNT_STATUSES,
  type Account,
  type AccountPatch,
  confirmsDeletion,
  deletionConfirmation,
  ROLES,
  type Role,
} from '../domain/accounts.ts'
import { parseEmailAddress } from '../domain/email-address.ts'
import type { Store } from '../store/store.ts'
import { openStoreOf, parseOneArgument, parseOptions, runAction, STORE_OPTIONS } from './arguments.ts'
import { allRows, auditedStore } from './audited-store.ts'
import type { Command, Terminal } from './terminal.ts'

const MEMBERS_USAGE = `incident-feed accounts create --email … --name … --role ${ROLES.join('|')}
incident-feed accounts sign-in-link acc_…`

const USAGE = `incident-feed accounts list [--email …] [--role ${ROLES.join('|')}] [--status ${ACCOUNT_STATUSES.join('|')}]
incident-feed accounts block acc_…
incident-feed accounts unblock acc_…
incident-feed accounts role acc_… ${ROLES.join('|')}
incident-feed accounts delete acc_… --confirm <its e-mail address, or else its name or id>
${MEMBERS_USAGE}`

const ACTIONS: Readonly<Record<string, Command>> = {
  list: listAccounts,
  block: (args, terminal) => changeAccount(args, terminal, { status: 'blocked' }),
  unblock: (args, terminal) => changeAccount(args, terminal, { status: 'active' }),
  role: changeRole,
  delete: deleteAccount,
  create: createMember,
  'sign-in-link': printSignInLink,
}

const TEXT = { type: 'string' } as const
const LINK_OPTIONS = { ...STORE_OPTIONS, 'public-url': TEXT } as const

/** Accounts listed per query. */
const BATCH = 500

export function accountsCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  return runAction('accounts', ACTIONS, args, terminal, USAGE)
}

async function listAccounts(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, { ...STORE_OPTIONS, email: TEXT, role: TEXT, status: TEXT }, USAGE)
  const filter = {
    ...(values.email === undefined ? {} : { email: requireAddress(values.email) }),
    ...(values.role === undefined ? {} : { role: oneOf(ROLES, '--role', values.role) }),
    ...(values.status === undefined ? {} : { status: oneOf(ACCOUNT_STATUSES, '--status', values.status) }),
  }
  await using store = await openStoreOf(values, terminal)
  for await (const account of allRows<Account>(BATCH, (last) => store.accounts.list(filter, BATCH, last?.id ?? null)))
    terminal.print(lineOf(account))
}

function oneOf<Known extends string>(known: readonly Known[], option: string, text: string): Known {
  const found = known.find((each) => each === text)
  if (found === undefined) throw new ConfigError(`${option} takes ${known.join(', ')}, not ${JSON.stringify(text)}`)
  return found
}

/** Texts that users wrote are quoted: a terminal would obey control characters. */
function lineOf({ id, role, status, email, ownsEmail, emailVerifiedAt, name }: Account): string {
  const state = ownsEmail ? (emailVerifiedAt === null ? ' (not verified)' : '') : ' (claimed, not verified)'
  const address = email === null ? '-' : `${JSON.stringify(email)}${state}`
  return [id, role, status, address, JSON.stringify(name ?? '')].join('\t')
}

async function changeRole(args: readonly string[], terminal: Terminal): Promise<void> {
  const role = args.find((word): word is Role => (ROLES as readonly string[]).includes(word))
  if (role === undefined) throw new ConfigError(`the roles are ${ROLES.join(', ')}\n\n${USAGE}`)
  await changeAccount(
    args.filter((word) => word !== role),
    terminal,
    { role },
  )
}

async function changeAccount(args: readonly string[], terminal: Terminal, patch: AccountPatch): Promise<void> {
  const { values, given: id } = parseOneArgument(args, STORE_OPTIONS, 'name one account', USAGE)
  await using store = await openStoreOf(values, terminal)
  const { role, status } = await requireAccount(store, id)
  const act = { action: 'account.change', subject: id, before: { role, status }, after: { role, status, ...patch } }
  const changed = await auditedStore(store, act).accounts.change(id, patch, Date.now())
  if (changed === null) throw new ConfigError(`there is no account ${id}`)
  if (changed === 'last_admin')
    throw new ConfigError(
      `${id} is the last admin that can sign in; create another first: incident-feed accounts create --role admin`,
    )
  terminal.print(`${lineOf(changed)}\nRunning nodes follow within two seconds.`)
}

async function requireAccount(store: Store, id: string): Promise<Account> {
  const account = await store.accounts.find(id)
  if (account === null) throw new ConfigError(`there is no account ${id}`)
  return account
}

/** Deletes an account as its owner would with `DELETE /v1/me`. */
async function deleteAccount(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = { ...STORE_OPTIONS, confirm: TEXT }
  const { values, given: id } = parseOneArgument(args, options, 'name one account', USAGE)
  if (id === MAP_ACCOUNT_ID) throw new ConfigError(`${id} is the account of the public map, which needs it`)
  await using store = await openStoreOf(values, terminal)
  const account = await requireAccount(store, id)
  const { status } = account
  if (status === 'deleted') throw new ConfigError(`${id} was deleted before`)
  if (!confirmsDeletion(account, values.confirm ?? ''))
    throw new ConfigError(`nothing was deleted: --confirm takes the ${deletionConfirmation(account)} of ${id}`)
  const act = { action: 'account.delete', subject: id, before: { status }, after: { status: 'deleted' } }
  const removed = await auditedStore(store, act).accounts.remove(id, Date.now())
  if (removed === null) throw new ConfigError(`${id} was deleted before`)
  if (removed === 'has_role')
    throw new ConfigError(
      `${id} has the role ${account.role}; take it away first: incident-feed accounts role ${id} client`,
    )
  terminal.print(
    `${id} is deleted, with its watches, areas, passkeys and keys.\nRunning nodes follow within two seconds.`,
  )
}

/** Opens an account for a person, and prints a link that signs them in. */
async function createMember(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, { ...LINK_OPTIONS, email: TEXT, name: TEXT, role: TEXT }, MEMBERS_USAGE)
  const { email, name } = values
  const role = ROLES.find((known) => known === values.role)
  if (email === undefined) throw new ConfigError(`--email takes an e-mail address\n\n${MEMBERS_USAGE}`)
  if (name === undefined || name === '' || /\p{Cc}/u.test(name))
    throw new ConfigError(`--name takes the name of the person\n\n${MEMBERS_USAGE}`)
  if (role === undefined) throw new ConfigError(`--role takes ${ROLES.join(', ')}\n\n${MEMBERS_USAGE}`)
  const account = newMember({ email: requireAddress(email), name, role }, Date.now())
  await using store = await openStoreOf(values, terminal)
  const act = { action: 'account.create', subject: account.id, after: { email: account.email, name, role } }
  const outcome = await auditedStore(store, act).accounts.open(account, null)
  if (outcome === 'address_taken') throw await addressTaken(store, account.email)
  const validity = { accountId: account.id, validMs: INVITATION_VALID_MS }
  const link = await issueSignInLink(store, publicUrlFrom(values['public-url'], terminal), validity, Date.now())
  terminal.print(`${account.id} is open, as ${role}.\n${sentenceOf(link, '72 hours')}`)
}

/** Brings an address of `--email` into the form in which it is stored. */
export function requireAddress(text: string): string {
  const parsed = parseEmailAddress(text)
  if ('fault' in parsed) throw new ConfigError(`--email ${parsed.fault}`)
  return parsed.address
}

/** One person has one account: with two, a mailed link would have to ask which. */
export async function addressTaken(store: Store, email: string): Promise<ConfigError> {
  const owner = await store.accounts.findOwner(email)
  const has = owner === null ? 'an account had' : `${owner.id} has`
  return new ConfigError(
    `${has} this address${owner === null ? ' a moment ago' : `, with the role ${owner.role}`}; incident-feed accounts role changes it`,
  )
}

/** Prints a link that signs in as the account: for installations without mail. */
async function printSignInLink(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, given: id } = parseOneArgument(args, LINK_OPTIONS, 'name one account', MEMBERS_USAGE)
  await using store = await openStoreOf(values, terminal)
  const { status } = await requireAccount(store, id)
  if (status === 'deleted') throw new ConfigError(`there is no account ${id}`)
  if (status === 'blocked') throw new ConfigError(`${id} is blocked; incident-feed accounts unblock ends that`)
  const audited = auditedStore(store, { action: 'account.sign_in_link', subject: id })
  const link = await issueSignInLink(
    audited,
    publicUrlFrom(values['public-url'], terminal),
    { accountId: id },
    Date.now(),
  )
  terminal.print(sentenceOf(link, '15 minutes'))
}

function sentenceOf({ url }: NewLink, validity: string): string {
  return `Whoever opens this link within ${validity} is signed in, once:\n${url}`
}

/** The address of the service's pages, if it is started with the same settings. */
function publicUrlFrom(flag: string | undefined, { env }: Terminal): string {
  const { PUBLIC_URL, HOST, PORT } = readConfig(env, flag === undefined ? [] : ['--public-url', flag])
  return PUBLIC_URL ?? `http://${HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST}:${PORT}`
}
