import { randomBytes } from 'node:crypto'
import { openAccount } from '../accounts/keys/issue.ts'
import { ConfigError } from '../config.ts'
import { generateKey, SCOPES, type Scope } from '../domain/key.ts'
import { openStore } from '../store/open.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'

const USAGE = `incident-feed keys create [--scope read,watch,operate] [--publishable] [--origin https://…] [--rate 120] [--email …] [--name …]
incident-feed keys generate`

export async function keysCommand([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'generate') console.log(generateKey('live', randomBytes))
  else if (action === 'create') await createKey(args)
  else throw new ConfigError(`the actions of keys are create and generate\n\n${USAGE}`)
}

async function createKey(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  await using store = await openStore(options.databaseUrl)
  const { key, text } = await openAccount(store, { email: options.email, name: options.name }, options, Date.now())
  console.log(text)
  console.error(`${key.id}, scopes: ${key.scopes.join(', ')}. The key is shown only once.`)
}

function readOptions(args: readonly string[]) {
  const options = {
    scope: { type: 'string' },
    publishable: { type: 'boolean' },
    origin: { type: 'string', multiple: true },
    rate: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    'database-url': { type: 'string' },
  } as const
  const { values } = parseOptions({ args: [...args], options }, USAGE)
  const scopes = values.scope?.split(',').map((scope) => scope.trim())
  const unknown = scopes?.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new ConfigError(`--scope takes ${SCOPES.join(', ')}, not ${JSON.stringify(unknown)}`)
  if (values.rate !== undefined && !/^[1-9]\d{0,8}$/.test(values.rate))
    throw new ConfigError('--rate takes requests per minute, such as 120')
  const kind = values.publishable ? ('publishable' as const) : ('live' as const)
  return {
    kind,
    name: values.name ?? null,
    email: values.email ?? null,
    origins: values.origin ?? [],
    ratePerMinute: values.rate === undefined ? null : Number(values.rate),
    databaseUrl: databaseUrlFrom(values['database-url']),
    // An operator also needs to read and watch: a key with `operate` alone would be useless.
    ...(scopes
      ? { scopes: SCOPES.filter((scope) => scopes.includes(scope) || scopes.includes('operate')) as Scope[] }
      : {}),
  }
}
