import { isIP, isIPv4, isIPv6 } from 'node:net'
import { parseArgs } from 'node:util'
import { parseTrustedProxies, type TrustedProxies } from './lib/network/trusted-proxies.ts'

interface Setting<Value> {
  readonly description: string
  /** As text; null if the setting may stay unset. */
  readonly fallback: string | null
  readonly takes: string
  /** Its value is never repeated in an error. */
  readonly secret?: true
  /** Returns undefined if the text is not a valid value. */
  readonly read: (text: string) => Value | undefined
  /** What to write instead of a value that was once right, or that many would try. */
  readonly advice?: Readonly<Record<string, string>>
}

const text = (description: string, fallback = ''): Setting<string> => ({
  description,
  fallback,
  takes: 'a text',
  read: (value) => (value === '' ? undefined : value),
})

const whole = (description: string, fallback: number, least: number, most: number): Setting<number> => ({
  description,
  fallback: String(fallback),
  takes: `a whole number from ${least} to ${most}`,
  read: (value) =>
    /^\d{1,12}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined,
})

const oneOf = <Value extends string>(
  description: string,
  values: readonly Value[],
  fallback: Value,
): Setting<Value> => ({
  description,
  fallback,
  takes: values.join(', '),
  read: (value) => values.find((known) => known === value),
})

const yesOrNo = (description: string): Setting<boolean> => ({
  description,
  fallback: 'false',
  takes: 'true or false',
  read: (value) => ({ true: true, false: false })[value],
})

const url = (description: string, protocols: readonly string[]): Setting<string> => ({
  description,
  fallback: '',
  takes: `a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  read: (value) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value.replace(/\/$/, '') : undefined,
})

const database = (description: string, fallback: string): Setting<string> => ({
  description,
  fallback,
  takes: 'sqlite:<file>, sqlite::memory: or postgres://…',
  read: (value) => (/^(sqlite:(?!\/\/[^/]).|postgres(ql)?:\/\/.)/.test(value) ? value : undefined),
})

const trustedProxies = (description: string): Setting<TrustedProxies> => ({
  description,
  fallback: 'false',
  takes:
    'false, how many proxies a request passes, or their networks (10.0.0.0/8, loopback, uniquelocal, linklocal) by comma',
  read: parseTrustedProxies,
  advice: {
    true: 'TRUST_PROXY=true would let every client choose its address in X-Forwarded-For. Write how many proxies a request passes (TRUST_PROXY=1), or the networks they are in (TRUST_PROXY=loopback, or TRUST_PROXY=10.0.0.0/8)',
  },
})

const nameServers = (description: string): Setting<readonly string[]> => ({
  description,
  fallback: '',
  takes: 'IP addresses by comma, each with a port if it is not 53 (10.0.0.2:5353, [fd00::2]:5353)',
  read: (value) => {
    const servers = value.split(',').map((server) => server.trim())
    return servers.every(isServerAddress) ? servers : undefined
  },
})

function isServerAddress(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isAddress = isIP(text) !== 0 || isIPv6(bracketed ?? '') || isIPv4(plain ?? '')
  return isAddress && Number(port) > 0 && Number(port) < 65536
}

/** Keys of 32 bytes each; the text is never repeated in an error. */
const keys = (description: string): Setting<readonly Uint8Array[]> => ({
  description,
  fallback: '',
  takes: 'keys of 32 bytes in base64 with commas between them; openssl rand -base64 32 generates one',
  secret: true,
  read(value) {
    const keys = value.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
    const isExact = value.split(',').every((key, index) => keys[index]!.toString('base64') === key.trim())
    return isExact && keys.every(({ length }) => length === 32) ? keys : undefined
  },
})

/** An empty value counts as absent: `OPERATOR_KEY=${OPERATOR_KEY}` in a file sets it empty. */
const optional = <Value>(setting: Setting<Value>): Setting<Value | null> => ({
  ...setting,
  fallback: null,
  read: (value) => (value === '' ? null : setting.read(value)),
})

/** Each is read from the environment, or from a flag: `RATE_LIMIT` is `--rate-limit`. */
export const SETTINGS = {
  PORT: whole('The port to listen on; 0 chooses a free one.', 8080, 0, 65535),
  HOST: text('The address to listen on.', '127.0.0.1'),
  PUBLIC_URL: optional(url('The public address of the service; used in links.', ['http:', 'https:'])),
  METRICS_PORT: optional(
    whole('A port of its own for `/metrics`, which the public port then lacks; 0 chooses a free one.', 0, 0, 65535),
  ),
  METRICS_HOST: text('The address of `METRICS_PORT`.', '127.0.0.1'),
  DATABASE_URL: database(
    'The database. SQLite for one node, PostgreSQL for several; postgres://…@one,two/… also names a standby.',
    'sqlite:data/incident-feed.db',
  ),
  LGA_BOUNDARIES: optional(
    text("A GeoJSON file of the LGAs' boundaries. With it, LGAs are exact; without it, they are estimated."),
  ),
  MAP_STYLE_URL: optional(
    url('A MapLibre style drawn beneath the public map; everything it loads must come from the same host.', [
      'http:',
      'https:',
    ]),
  ),
  MAP_ROADS: optional(
    text('A GeoJSON file of roads, drawn on the public map by their class. Without it, the map has no roads.'),
  ),
  OPERATOR_KEY: optional(
    text(
      'An admin key, added to the database at the start; replacing it revokes the one before. `incident-feed keys generate` generates one.',
    ),
  ),
  SECRETS_KEY: optional(
    keys(
      'Encrypts the webhook secrets in the database; after a comma, older keys that still decrypt. Without it, SQLite has a key in a file beside the database; PostgreSQL needs it.',
    ),
  ),
  SIGNUP: oneOf(
    'Whether anyone can get a key: at once, by a link sent by e-mail, or not at all.',
    ['open', 'email', 'closed'],
    'open',
  ),
  SIGNUPS_PER_HOUR: whole('Keys that one client address may request per hour.', 10, 1, 1_000_000),
  SMTP_URL: optional(
    url('The mail server, for `SIGNUP=email`, for links to a new key, and for notices.', ['smtp:', 'smtps:']),
  ),
  MAILS_PER_RECIPIENT: whole('Mails with a link that one e-mail address is sent per day (UTC).', 5, 1, 1_000_000),
  MAILS_PER_CLIENT: whole('Mails that one client address may request per day (UTC).', 20, 1, 1_000_000),
  MAIL_FROM: text('The sender of e-mails.', 'Incident Feed <no-reply@localhost>'),
  RATE_LIMIT: whole('Requests per minute for each account, over all its live keys.', 120, 1, 100_000_000),
  RATE_LIMIT_SESSION: whole(
    'Requests per minute for each account, over all browsers in which somebody has signed in.',
    1200,
    1,
    100_000_000,
  ),
  RATE_LIMIT_PUBLISHABLE: whole(
    'Requests per minute for each publishable key and client address.',
    600,
    1,
    100_000_000,
  ),
  RATE_LIMIT_ADDRESS: whole(
    'Requests per minute without a key, or with a wrong one, for each client address (IPv6: /64) and node.',
    1200,
    1,
    100_000_000,
  ),
  RATE_LIMIT_PUBLISHABLE_TOTAL: whole(
    'Requests per minute with all publishable keys of an account, from all client addresses.',
    60_000,
    1,
    100_000_000,
  ),
  KEYS_PER_ACCOUNT: whole('Valid keys per account.', 20, 1, 1_000_000),
  WATCHES_PER_ACCOUNT: whole('Watches per account.', 100, 1, 10_000_000),
  WATCH_TESTS_PER_MINUTE: whole('Tests of watches per minute and account.', 10, 1, 1_000_000),
  PREVIEWS_PER_MINUTE: whole('Previews of filters per minute and account.', 30, 1, 1_000_000),
  TIPS_PER_HOUR: whole(
    'Tips and additions per hour for each client address (IPv6: /64) and node; a third of them without proof of work.',
    30,
    3,
    1_000_000,
  ),
  TIPS_PER_HOUR_TOTAL: whole(
    'Tips and additions per hour from all client addresses; a third of them without proof of work.',
    600,
    3,
    100_000_000,
  ),
  TIP_PROOF_BITS: whole(
    'Zero bits in each of the eight puzzles of a proof of work: one more doubles the work. 14 takes a cheap phone a second or two.',
    14,
    1,
    24,
  ),
  TIP_CONTACT_DAYS: whole(
    'Days for which the contact and the reference number of a tip are kept; then both are deleted.',
    90,
    1,
    3650,
  ),
  WEBHOOK_ALLOW_PRIVATE: yesOrNo(
    'Whether endpoints may use http and private networks; for development, or if all users are trusted.',
  ),
  DNS_SERVERS: optional(nameServers("The name servers for the endpoints' hosts, instead of the system's.")),
  WEBHOOK_CONCURRENCY: whole(
    'Concurrent messages to endpoints that answer in time; one account uses up to three quarters.',
    256,
    1,
    10_000,
  ),
  WEBHOOK_CONCURRENCY_PER_HOST: whole(
    'Concurrent messages to one host that are answered in time; one account uses up to three quarters.',
    64,
    1,
    10_000,
  ),
  CONNECTIONS: whole('Open connections per node, streams included.', 15_000, 10, 1_000_000),
  CONNECTIONS_PER_ADDRESS: whole(
    'Open connections per node and address (IPv6: /64) that connects; a trusted proxy is exempt.',
    500,
    1,
    1_000_000,
  ),
  STREAMS: whole('Open streams per node.', 10_000, 1, 1_000_000),
  STREAMS_PER_ACCOUNT: whole(
    'Open streams per node and account; for a publishable key, per client address.',
    10,
    1,
    1_000_000,
  ),
  TRUST_PROXY: trustedProxies(
    'The proxies before the service, whose `X-Forwarded-For` is believed. A number is only safe if no client can connect except through them.',
  ),
  READY_MAX_BEHIND: whole(
    'Seconds since a node was last in step with the log, above which `/readyz` answers 503.',
    30,
    1,
    1_000_000_000,
  ),
  LOG_LEVEL: oneOf(
    'The log level; `debug` logs every request.',
    ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    'info',
  ),
  DEMO: yesOrNo('Runs with a temporary database of synthetic incidents, with new ones arriving.'),
} as const satisfies Record<string, Setting<unknown>>
export type SettingName = keyof typeof SETTINGS

/** Names that settings had before; the environment may still use them. */
const FORMER_NAMES: Readonly<Record<string, string>> = { STREAMS_PER_ACCOUNT: 'STREAMS_PER_KEY' }

export type Config = {
  readonly [Name in SettingName]: Exclude<ReturnType<(typeof SETTINGS)[Name]['read']>, undefined>
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Flags override the environment. Throws on the first invalid value, naming what it takes. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Config {
  const given = readFlags(flags)
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const written = given.get(name) ?? environment[name] ?? environment[FORMER_NAMES[name] ?? ''] ?? setting.fallback
    if (written === null) return [name, null]
    const value = setting.read(written)
    if (value === undefined && setting.advice?.[written] !== undefined) throw new ConfigError(setting.advice[written])
    if (value === undefined) {
      const given = setting.secret ? '' : `, not ${JSON.stringify(written)}`
      throw new ConfigError(`${name} takes ${setting.takes}${given}`)
    }
    return [name, value]
  })
  return Object.fromEntries(entries) as Config
}

const FLAGS = new Map((Object.keys(SETTINGS) as SettingName[]).map((name) => [flagOf(name), name]))
const FLAG_OPTIONS = Object.fromEntries(
  [...FLAGS].map(([flag, name]) => [flag, { type: isSwitch(name) ? ('boolean' as const) : ('string' as const) }]),
)

function readFlags(flags: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  // `--RATE_LIMIT` and `--rate_limit` mean `--rate-limit`.
  const args = flags.map((word) => word.replace(/^--[^=]+/, (flag) => flag.toLowerCase().replaceAll('_', '-')))
  // Not strict: its messages would neither list the settings nor say what one takes.
  const { tokens } = parseArgs({ args, options: FLAG_OPTIONS, strict: false, tokens: true })
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    const name = token.kind === 'option' ? FLAGS.get(token.name) : undefined
    if (token.kind !== 'option' || name === undefined) {
      const written = token.kind === 'option' ? token.rawName : flags[token.index]
      const known = [...FLAGS.keys()].map((flag) => `--${flag}`)
      throw new ConfigError(`${written} is not a setting; the settings are: ${known.join(', ')}`)
    }
    const next = tokens[index + 1]
    if (token.value !== undefined) given.set(name, token.value)
    else if (!isSwitch(name)) throw new ConfigError(`${token.rawName} takes ${SETTINGS[name].takes}`)
    else if (next?.kind === 'positional' && /^(true|false)$/.test(next.value)) {
      given.set(name, next.value)
      index++
    } else given.set(name, 'true')
  }
  return given
}

function flagOf(name: SettingName): string {
  return name.toLowerCase().replaceAll('_', '-')
}

function isSwitch(name: SettingName): boolean {
  return SETTINGS[name].takes === 'true or false'
}
