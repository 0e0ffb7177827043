import { findMember, INVITATION_VALID_MS, issueSignInLink, type NewLink, newMember } from '../accounts/sign-in.ts'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import { ROLES } from '../domain/accounts.ts'
import { openStore } from '../store/open.ts'
import { onRecord } from './on-record.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'

export const MEMBERS_USAGE = `incident-feed accounts create --email … --name … --role ${ROLES.join('|')}
incident-feed accounts sign-in-link acc_…`

const OPTIONS = { 'database-url': { type: 'string' }, 'public-url': { type: 'string' } } as const

/** Opens an account for a person, and prints a link that signs them in. */
export async function createMember(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const options = { ...OPTIONS, email: text, name: text, role: text }
  const { values } = parseOptions({ args: [...args], options }, MEMBERS_USAGE)
  const { email, name } = values
  const role = ROLES.find((known) => known === values.role)
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new ConfigError(`--email takes an e-mail address\n\n${MEMBERS_USAGE}`)
  if (name === undefined || name === '' || /\p{Cc}/u.test(name))
    throw new ConfigError(`--name takes the name of the person\n\n${MEMBERS_USAGE}`)
  if (role === undefined) throw new ConfigError(`--role takes ${ROLES.join(', ')}\n\n${MEMBERS_USAGE}`)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const member = await findMember(store, email)
  if (member !== null)
    throw new ConfigError(
      `${member.id} has this address, with the role ${member.role}; incident-feed accounts role changes it`,
    )
  const account = newMember({ email, name, role }, Date.now())
  const act = { action: 'account.create', subject: account.id, after: { email, name, role } }
  await onRecord(store, act).accounts.ensure(account)
  const validity = { mailed: false, validMs: INVITATION_VALID_MS }
  const link = await issueSignInLink(store, publicUrlFrom(values['public-url']), account.id, validity, Date.now())
  console.log(`${account.id} is open, as ${role}.\n${sentenceOf(link, '72 hours')}`)
}

/** Prints a link that signs in as the account: for installations without mail. */
export async function printSignInLink(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    MEMBERS_USAGE,
  )
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new ConfigError(`name one account\n\n${MEMBERS_USAGE}`)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const account = await store.accounts.find(id)
  if (account === null || account.status === 'deleted') throw new ConfigError(`there is no account ${id}`)
  if (account.status === 'blocked') throw new ConfigError(`${id} is blocked; incident-feed accounts unblock ends that`)
  const recorded = onRecord(store, { action: 'account.sign_in_link', subject: id })
  const link = await issueSignInLink(recorded, publicUrlFrom(values['public-url']), id, { mailed: false }, Date.now())
  console.log(sentenceOf(link, '15 minutes'))
}

function sentenceOf({ url }: NewLink, validity: string): string {
  return `Whoever opens this link within ${validity} is signed in, once:\n${url}`
}

/** Where the service's pages are: as it will be started with the same settings. */
function publicUrlFrom(flag: string | undefined): string {
  const { PUBLIC_URL, HOST, PORT } = readConfig(process.env, flag === undefined ? [] : ['--public-url', flag])
  return PUBLIC_URL ?? `http://${HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST}:${PORT}`
}
