import type { Config } from '../../../config/settings.ts'
import { parseKey } from '../../../domain/keys.ts'
import { trustNobody } from '../../../lib/network.ts'
import { type Finding, failed, warning } from '../finding.ts'
import { isLoopbackHost } from '../local-host.ts'

/** An address that no operator trusts by its network: whoever trusts it counts hops. */
const ANYBODY = '203.0.113.1'

interface Contradiction {
  readonly when: (config: Config) => boolean
  readonly finding: Finding
}

/** Settings that are right by themselves and wrong together. */
const CONTRADICTIONS: readonly Contradiction[] = [
  {
    when: ({ SIGNUP, SMTP_URL }) => SIGNUP === 'email' && SMTP_URL === null,
    finding: failed('SIGNUP=email needs a mail server', 'Set SMTP_URL, or SIGNUP=open or closed.'),
  },
  {
    when: ({ OPERATOR_KEY }) => OPERATOR_KEY !== null && !('kind' in parseKey(OPERATOR_KEY)),
    finding: failed('OPERATOR_KEY is not a well-formed key', 'Generate one with: incident-feed keys generate'),
  },
  {
    when: ({ METRICS_PORT, METRICS_HOST, PORT, HOST }) =>
      METRICS_PORT === PORT &&
      PORT !== 0 &&
      (METRICS_HOST === HOST || isEveryAddress(HOST) || isEveryAddress(METRICS_HOST)),
    finding: failed('METRICS_PORT is the same as PORT', 'Choose another METRICS_PORT, such as 9090.'),
  },
  {
    when: ({ PUBLIC_URL, HOST }) => PUBLIC_URL === null && !isLoopbackHost(HOST),
    finding: warning(
      'HOST lets other machines connect, but PUBLIC_URL is not set: links in pages, mails and feeds lead to this machine only',
      'Set PUBLIC_URL to the address that people use, such as https://feed.example.org.',
    ),
  },
  {
    when: ({ PUBLIC_URL, SMTP_URL }) => PUBLIC_URL === null && SMTP_URL !== null,
    finding: warning('SMTP_URL is set and PUBLIC_URL is not: links in mails lead to this machine', 'Set PUBLIC_URL.'),
  },
  {
    when: ({ PUBLIC_URL }) => PUBLIC_URL !== null && new URL(PUBLIC_URL).pathname !== '/',
    finding: failed(
      'PUBLIC_URL has a path, but the service answers only at the root of a host',
      'Give the service a host name of its own, and set PUBLIC_URL without a path.',
    ),
  },
  {
    when: ({ PUBLIC_URL }) => PUBLIC_URL?.startsWith('http:') === true && !isLoopbackHost(new URL(PUBLIC_URL).hostname),
    finding: warning(
      'PUBLIC_URL is http: keys and session cookies cross the network readable, and browsers offer no passkeys',
      'Put a proxy with TLS in front (deploy/nginx) and set PUBLIC_URL to its https address.',
    ),
  },
  {
    when: ({ PUBLIC_URL, TRUST_PROXY }) => PUBLIC_URL?.startsWith('https:') === true && TRUST_PROXY === trustNobody,
    finding: warning(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: all clients count as one address',
      'Set TRUST_PROXY=loopback if the proxy runs on this machine, or its network (docs/operating.md, Behind a proxy).',
    ),
  },
  {
    when: ({ TRUST_PROXY, HOST }) => TRUST_PROXY !== trustNobody && TRUST_PROXY(ANYBODY, 0) && !isLoopbackHost(HOST),
    finding: warning(
      'TRUST_PROXY is a number and HOST lets other machines connect: a client that connects directly can forge its address',
      'Name the proxies by their networks (TRUST_PROXY=10.0.0.0/8), or let only them reach the port.',
    ),
  },
  {
    when: ({ METRICS_PORT, HOST }) => METRICS_PORT === null && !isLoopbackHost(HOST),
    finding: warning(
      '/metrics is on the public port, for everybody who can connect',
      'Set METRICS_PORT=9090, or let the proxy refuse /metrics.',
    ),
  },
  {
    when: ({ SMTP_URL, MAIL_FROM }) => SMTP_URL !== null && /@localhost>?$/.test(MAIL_FROM),
    finding: warning(
      'MAIL_FROM is an address at localhost, which most mail servers refuse',
      'Set MAIL_FROM to an address of your own domain.',
    ),
  },
  {
    when: ({ WEBHOOK_ALLOW_PRIVATE, SIGNUP }) => WEBHOOK_ALLOW_PRIVATE && SIGNUP !== 'closed',
    finding: warning(
      'WEBHOOK_ALLOW_PRIVATE=true and anybody can sign up: strangers can make the service send requests into your network',
      'Set WEBHOOK_ALLOW_PRIVATE=false, or SIGNUP=closed.',
    ),
  },
  {
    when: ({ STREAMS, CONNECTIONS }) => STREAMS > CONNECTIONS,
    finding: warning('STREAMS is above CONNECTIONS, and every stream takes a connection', 'Raise CONNECTIONS.'),
  },
  {
    when: ({ DEMO }) => DEMO,
    finding: warning('DEMO is on: the service runs with synthetic incidents and keeps nothing', 'Unset DEMO.'),
  },
]

export function checkContradictions(config: Config): Finding[] {
  return CONTRADICTIONS.filter(({ when }) => when(config)).map(({ finding }) => finding)
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
