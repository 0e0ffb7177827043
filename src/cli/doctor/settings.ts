import type { Config } from '../../config/settings.ts'
import { parseKey } from '../../domain/keys.ts'
import { parseTrustedProxies, trustNobody } from '../../lib/network.ts'
import { type Findings, failed, warning } from './findings.ts'

/** An address that no operator trusts by its network: whoever trusts it counts hops. */
const ANYBODY = '203.0.113.1'

/** Settings that are right by themselves and wrong together. */
export function* checkContradictions(config: Config): Findings {
  const { SIGNUP, SMTP_URL, MAIL_FROM, OPERATOR_KEY, WEBHOOK_ALLOW_PRIVATE, STREAMS, CONNECTIONS } = config
  const { DATABASE_URL, DATABASE_READ_URL } = config
  const { HOST, PORT, METRICS_HOST, METRICS_PORT, METRICS_PUBLIC, PUBLIC_URL, TRUST_PROXY } = config
  if (SIGNUP === 'email' && SMTP_URL === null)
    yield failed('SIGNUP=email needs a mail server', 'Set SMTP_URL, or SIGNUP=open or closed.')
  if (DATABASE_READ_URL !== null && !/^postgres/.test(DATABASE_URL))
    yield failed(
      'DATABASE_READ_URL names standbys of PostgreSQL, but DATABASE_URL is SQLite',
      'Set DATABASE_URL to the primary of these standbys, or leave DATABASE_READ_URL out.',
    )
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
  else if (PUBLIC_URL === null && TRUST_PROXY !== trustNobody)
    yield warning(
      'TRUST_PROXY is set, but PUBLIC_URL is not: links lead to this machine only, and behind HTTPS nobody can use a passkey',
      'Set PUBLIC_URL to the address of the proxy: no header of a proxy but X-Forwarded-For is read.',
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
  if (METRICS_PORT === null && METRICS_PUBLIC && !isLoopbackHost(HOST))
    yield warning(
      '/metrics is on the public port, for everybody who can connect',
      'Set METRICS_PORT=9090, leave METRICS_PUBLIC out and give the scraper a key, or let the proxy refuse /metrics.',
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
