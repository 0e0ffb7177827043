import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openAccount } from '../accounts/keys/issue.ts'
import { ConfigError, readConfig } from '../config.ts'
import { generateKey, SCOPES, type Scope } from '../domain/key.ts'
import { openStore } from '../store/open.ts'

const USAGE = `incident-feed keys create [--scope read,watch,operate] [--publishable] [--origin https://…] [--rate 120] [--email …] [--name …]
incident-feed keys generate`

export async function keysCommand([action, ...words]: readonly string[]): Promise<void> {
  if (action === 'generate') console.log(generateKey('live', randomBytes))
  else if (action === 'create') await create(words)
  else throw new ConfigError(`keys takes create or generate\n\n${USAGE}`)
}

async function create(words: readonly string[]): Promise<void> {
  const wish = readWords(words)
  const { DATABASE_URL } = readConfig(process.env, wish.databaseUrl ? ['--database-url', wish.databaseUrl] : [])
  await using store = await openStore(DATABASE_URL)
  const { key, text } = await openAccount(store, { email: wish.email, name: wish.name }, wish, Date.now())
  console.log(text)
  console.error(`${key.id}, may ${key.scopes.join(', ')}. It is shown only now.`)
}

function readWords(words: readonly string[]) {
  const { values } = parse(words)
  const scopes = values.scope?.split(',').map((scope) => scope.trim())
  const unknown = scopes?.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new ConfigError(`--scope takes ${SCOPES.join(', ')}, not ${JSON.stringify(unknown)}`)
  if (values.rate !== undefined && !/^[1-9]\d{0,8}$/.test(values.rate))
    throw new ConfigError('--rate takes requests a minute, as 120')
  const kind = values.publishable ? ('publishable' as const) : ('live' as const)
  return {
    kind,
    name: values.name ?? null,
    email: values.email ?? null,
    origins: values.origin ?? [],
    ratePerMinute: values.rate === undefined ? null : Number(values.rate),
    databaseUrl: values['database-url'],
    // Whoever operates also reads: a key for the desk alone would be of no use.
    ...(scopes
      ? { scopes: SCOPES.filter((scope) => scopes.includes(scope) || scopes.includes('operate')) as Scope[] }
      : {}),
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        scope: { type: 'string' },
        publishable: { type: 'boolean' },
        origin: { type: 'string', multiple: true },
        rate: { type: 'string' },
        email: { type: 'string' },
        name: { type: 'string' },
        'database-url': { type: 'string' },
      },
    })
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\n\n${USAGE}`)
  }
}
