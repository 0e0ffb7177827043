import { IncidentFeed } from '../../src/index.ts'
import type { Command, World } from '../command.ts'
import { say, write } from '../output/print.ts'
import { readSettings, removeSettings, serviceUrl, storeSettings } from '../settings.ts'
import { askSecret, readAll } from '../terminal/ask.ts'
import { UsageError } from '../usage-error.ts'

export const login: Command = {
  name: 'login',
  about: 'Store your key for this computer',
  args: [],
  options: [
    { name: 'url', value: 'URL', about: 'The address of the service' },
    { name: 'email', value: 'ADDRESS', about: 'Sign up with this address instead: a new key is issued' },
  ],
  details:
    'The key is asked for, or read from a pipe: incidents login --url https://… < key.txt\nIt is stored in your config folder, readable by you only.',
  async run(world, given) {
    const url = addressOf(given.text('url') ?? world.env.INCIDENT_FEED_URL ?? (await readSettings(world))?.url)
    const email = given.text('email')
    const key = email === undefined ? await askKey(world) : await signUp(url, email)
    const { account } = await new IncidentFeed({ key, baseUrl: url }).me({ signal: world.signal })
    const path = await storeSettings(world, { url, key })
    const name = account?.name ?? account?.email ?? account?.id
    await write(world.stdout, `Logged in at ${url}${name ? ` as ${name}` : ''}. The key is in ${path}\n`)
    return undefined
  },
}

export const logout: Command = {
  name: 'logout',
  about: 'Forget the stored key; it stays valid',
  args: [],
  options: [],
  async run(world) {
    await say(world, (await removeSettings(world)) ? 'The key is forgotten.' : 'No key was stored.')
    return undefined
  },
}

function addressOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('Which service? incidents login --url https://…')
  try {
    return serviceUrl(text)
  } catch {
    throw new UsageError(`"${text}" is no address; write it as https://feed.example.org`)
  }
}

async function askKey(world: World): Promise<string> {
  const text = world.stdin.isTTY ? await askSecret(world, 'Key (not shown): ') : await readAll(world.stdin)
  const key = text.trim()
  if (key === '') throw new UsageError('No key was given. To get one: incidents login --email you@example.org')
  return key
}

async function signUp(url: string, email: string): Promise<string> {
  const issued = await new IncidentFeed({ baseUrl: url }).keys.create({ email })
  if ('key' in issued && typeof issued.key === 'string') return issued.key
  throw new UsageError(`A link was sent to ${email}: open it, then run "incidents login" with the key that it shows.`)
}
