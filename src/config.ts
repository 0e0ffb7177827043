interface Setting<Value> {
  readonly description: string
  /** As it would be written; null where the setting may stay unset. */
  readonly fallback: string | null
  readonly takes: string
  /** Undefined where the text is not what the setting takes. */
  readonly read: (text: string) => Value | undefined
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

const optional = <Value>(setting: Setting<Value>): Setting<Value | null> => ({ ...setting, fallback: null })

/** Every setting: from the environment by its name, or as a flag (`RATE_LIMIT` is `--rate-limit`). */
export const SETTINGS = {
  PORT: whole('The port to listen on; 0 takes a free one.', 8080, 0, 65535),
  HOST: text('The address to listen on.', '127.0.0.1'),
  PUBLIC_URL: optional(url('Where the service is reached from outside; used in links.', ['http:', 'https:'])),
  DATABASE_URL: database(
    'Where everything is kept. SQLite for one node, PostgreSQL for several; postgres://…@one,two/… names a standby too.',
    'sqlite:data/incident-feed.db',
  ),
  LGA_BOUNDARIES: optional(
    text("A GeoJSON file of the LGAs' boundaries. With it LGAs are exact, without it estimated."),
  ),
  MAP_STYLE_URL: optional(
    url('A MapLibre style to draw beneath the public map; everything that it loads must come from the same host.', [
      'http:',
      'https:',
    ]),
  ),
  OPERATOR_KEY: optional(
    text(
      'A key that may operate; it is made known to the database at the start. `incident-feed keys generate` makes one.',
    ),
  ),
  SIGNUP: oneOf(
    'How strangers get a key: at once, by a link sent to their address, or not at all.',
    ['open', 'email', 'closed'],
    'open',
  ),
  SIGNUPS_PER_HOUR: whole('Keys that one address may ask for in an hour.', 10, 1, 1_000_000),
  SMTP_URL: optional(url('The mail server for `SIGNUP=email`.', ['smtp:', 'smtps:'])),
  MAIL_FROM: text('The sender of mails.', 'Incident Feed <no-reply@localhost>'),
  RATE_LIMIT: whole('Requests a minute for each key.', 120, 1, 100_000_000),
  RATE_LIMIT_PUBLISHABLE: whole('Requests a minute for each publishable key and client address.', 600, 1, 100_000_000),
  WATCHES_PER_ACCOUNT: whole('Watches that one account may have.', 100, 1, 10_000_000),
  WEBHOOK_ALLOW_PRIVATE: yesOrNo(
    'Whether endpoints may be http and lie in private networks; for development, or where all users are trusted.',
  ),
  WEBHOOK_CONCURRENCY: whole(
    'Messages under way to endpoints that answer; those that hang are not counted.',
    256,
    1,
    10_000,
  ),
  WEBHOOK_CONCURRENCY_PER_HOST: whole('Messages under way to one host.', 64, 1, 10_000),
  STREAMS: whole('Streams that may be open on one node.', 10_000, 1, 1_000_000),
  STREAMS_PER_KEY: whole(
    'Streams that may be open on one node with one key; of a publishable key, from one client address.',
    10,
    1,
    1_000_000,
  ),
  TRUST_PROXY: yesOrNo('Whether to believe `X-Forwarded-For`; only behind a proxy that sets it.'),
  LOG_LEVEL: oneOf(
    'What to log; `debug` logs every request.',
    ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    'info',
  ),
  DEMO: yesOrNo('A throw-away database with synthetic incidents, and new ones arriving.'),
} as const satisfies Record<string, Setting<unknown>>
export type SettingName = keyof typeof SETTINGS

export type Config = {
  readonly [Name in SettingName]: Exclude<ReturnType<(typeof SETTINGS)[Name]['read']>, undefined>
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads every setting, flags before environment, or throws naming the first that is wrong and what it takes. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Config {
  const given = readFlags(flags)
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const written = given.get(name) ?? environment[name] ?? setting.fallback
    if (written === null) return [name, null]
    const value = setting.read(written)
    if (value === undefined) throw new ConfigError(`${name} takes ${setting.takes}, not ${JSON.stringify(written)}`)
    return [name, value]
  })
  return Object.fromEntries(entries) as Config
}

function readFlags(flags: readonly string[]): Map<string, string> {
  const given = new Map<string, string>()
  for (let index = 0; index < flags.length; index++) {
    const [flag = '', written] = splitOnce(flags[index]!, '=')
    const name = flag.replace(/^--/, '').replaceAll('-', '_').toUpperCase()
    if (!flag.startsWith('--') || !Object.hasOwn(SETTINGS, name)) {
      const known = Object.keys(SETTINGS).map((setting) => `--${setting.toLowerCase().replaceAll('_', '-')}`)
      throw new ConfigError(`${flag} is not a setting; these are: ${known.join(', ')}`)
    }
    const isSwitch = SETTINGS[name as SettingName].takes === 'true or false'
    const next = flags[index + 1]
    const takesNext = written === undefined && (isSwitch ? next === 'true' || next === 'false' : true)
    if (takesNext && next === undefined) throw new ConfigError(`${flag} takes ${SETTINGS[name as SettingName].takes}`)
    given.set(name, written ?? (takesNext ? next! : 'true'))
    if (takesNext) index++
  }
  return given
}

function splitOnce(whole: string, separator: string): [string, string | undefined] {
  const at = whole.indexOf(separator)
  return at < 0 ? [whole, undefined] : [whole.slice(0, at), whole.slice(at + 1)]
}
