import { FORMER_NAMES, readConfig } from '../../config/read-config.ts'
import { ConfigError } from '../../config/setting-kinds.ts'
import { type Config, SETTINGS } from '../../config/settings.ts'
import { parseKey } from '../../domain/keys.ts'
import { parseTrustedProxies, trustNobody } from '../../lib/network.ts'
import { editDistance } from '../../lib/similar-names.ts'
import { type Finding, type Findings, failed, warning } from './findings.ts'

/** Variables that are no settings and may stand in the same file. */
const OTHERS =
  /^(NODE_.*|UV_.*|PG.*|OTEL_.*|LC_.*|LANG|TZ|PATH|HOME|USER|TMPDIR|SSL_CERT_.*|MALLOC_.*|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/
const NAMES = Object.keys(SETTINGS)
/** Short names are near to many words: HOME is no mistyped HOST. */
const SHORT_LENGTH = 6

/**
 * Looks for misspelled names. The environment has many other variables, so there only names near a
 * setting count; in a file of settings, every unknown name does.
 */
export function checkNames(environmentNames: readonly string[], fileNames: readonly string[]): Finding[] {
  const former = new Map(Object.entries(FORMER_NAMES).map(([name, before]) => [before, name]))
  const names = new Set([...fileNames, ...environmentNames])
  return [...names].sort().flatMap((name) => {
    if (Object.hasOwn(SETTINGS, name)) return []
    const renamed = former.get(name)
    if (renamed !== undefined) return [warning(`${name} is the former name of ${renamed}`, `Write ${renamed} instead.`)]
    const meant = similarSetting(name)
    if (meant !== null) return [warning(`${name} is not a setting, so it has no effect`, `Did you mean ${meant}?`)]
    if (!fileNames.includes(name) || OTHERS.test(name)) return []
    return [warning(`${name} is not a setting, so it has no effect`, 'docs/settings.md lists the settings.')]
  })
}

function similarSetting(name: string): string | null {
  const plain = plainOf(name)
  const limit = plain.length <= SHORT_LENGTH ? 1 : 2
  const near = NAMES.map((setting) => ({ setting, distance: editDistance(plain, plainOf(setting), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.setting ?? null
}

function plainOf(name: string): string {
  return name
    .toUpperCase()
    .replace(/^INCIDENT_FEED_/, '')
    .replaceAll(/[_-]/g, '')
}

/** Every wrong value, not only the first, which is where the service would stop. */
export function checkValues(environment: Readonly<Record<string, string | undefined>>, flags: readonly string[]) {
  const attempts = Object.keys(SETTINGS).map((name) => () => readConfig({ [name]: environment[name] }, []))
  return [...attempts, () => readConfig({}, flags)].flatMap((attempt) => {
    try {
      attempt()
      return []
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return [failed(error.message, 'Correct the value: the service does not start with it.')]
    }
  })
}

/** An address that no operator trusts by its network: whoever trusts it counts hops. */
const ANYBODY = '203.0.113.1'

/** Settings that are right by themselves and wrong together. */
export function* checkContradictions(config: Config): Findings {
  const { SIGNUP, SMTP_URL, MAIL_FROM, OPERATOR_KEY, WEBHOOK_ALLOW_PRIVATE, STREAMS, CONNECTIONS } = config
  const { HOST, PORT, METRICS_HOST, METRICS_PORT, PUBLIC_URL, TRUST_PROXY } = config
  if (SIGNUP === 'email' && SMTP_URL === null)
    yield failed('SIGNUP=email needs a mail server', 'Set SMTP_URL, or SIGNUP=open or closed.')
  if (OPERATOR_KEY !== null && !('kind' in parseKey(OPERATOR_KEY)))
    yield failed('OPERATOR_KEY is not a well-formed key', 'Generate one with: incident-feed keys generate')
  const shareAddress = METRICS_HOST === HOST || isEveryAddress(HOST) || isEveryAddress(METRICS_HOST)
  if (METRICS_PORT === PORT && PORT !== 0 && shareAddress)
    yield failed('METRICS_PORT is the same as PORT', 'Choose another METRICS_PORT, such as 9090.')
  if (PUBLIC_URL === null && !isLoopbackHost(HOST))
    yield warning(
      'HOST lets other machines connect, but PUBLIC_URL is not set: links in pages, mails and feeds lead to this machine only',
      'Set PUBLIC_URL to the address that people use, such as https://feed.example.org.',
    )
  if (PUBLIC_URL === null && SMTP_URL !== null)
    yield warning('SMTP_URL is set and PUBLIC_URL is not: links in mails lead to this machine', 'Set PUBLIC_URL.')
  if (PUBLIC_URL !== null && new URL(PUBLIC_URL).pathname !== '/')
    yield failed(
      'PUBLIC_URL has a path, but the service answers only at the root of a host',
      'Give the service a host name of its own, and set PUBLIC_URL without a path.',
    )
  if (PUBLIC_URL?.startsWith('http:') === true && !isLoopbackHost(new URL(PUBLIC_URL).hostname))
    yield warning(
      'PUBLIC_URL is http: keys and session cookies cross the network readable, and browsers offer no passkeys',
      'Put a proxy with TLS in front (deploy/nginx) and set PUBLIC_URL to its https address.',
    )
  if (PUBLIC_URL?.startsWith('https:') === true && TRUST_PROXY === trustNobody)
    yield warning(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: all clients count as one address',
      'Set TRUST_PROXY=loopback if the proxy runs on this machine, or its network (docs/operating.md, Behind a proxy).',
    )
  if (TRUST_PROXY !== trustNobody && TRUST_PROXY(ANYBODY, 0) && !isLoopbackHost(HOST))
    yield warning(
      'TRUST_PROXY is a number and HOST lets other machines connect: a client that connects directly can forge its address',
      'Name the proxies by their networks (TRUST_PROXY=10.0.0.0/8), or let only them reach the port.',
    )
  if (METRICS_PORT === null && !isLoopbackHost(HOST))
    yield warning(
      '/metrics is on the public port, for everybody who can connect',
      'Set METRICS_PORT=9090, or let the proxy refuse /metrics.',
    )
  if (SMTP_URL !== null && /@localhost>?$/.test(MAIL_FROM))
    yield warning(
      'MAIL_FROM is an address at localhost, which most mail servers refuse',
      'Set MAIL_FROM to an address of your own domain.',
    )
  if (WEBHOOK_ALLOW_PRIVATE && SIGNUP !== 'closed')
    yield warning(
      'WEBHOOK_ALLOW_PRIVATE=true and anybody can sign up: strangers can make the service send requests into your network',
      'Set WEBHOOK_ALLOW_PRIVATE=false, or SIGNUP=closed.',
    )
  if (STREAMS > CONNECTIONS)
    yield warning('STREAMS is above CONNECTIONS, and every stream takes a connection', 'Raise CONNECTIONS.')
  if (config.DEMO)
    yield warning('DEMO is on: the service runs with synthetic incidents and keeps nothing', 'Unset DEMO.')
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

const isLoopback = parseTrustedProxies('loopback')!

/** True for `localhost`, names below it, and loopback addresses, bracketed or not. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  return plain === 'localhost' || plain.endsWith('.localhost') || isLoopback(plain, 0)
}
