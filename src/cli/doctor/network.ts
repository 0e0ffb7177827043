import { getServers, lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { type MailServerState, tryMailServer } from '../../accounts/mail.ts'
import { PROBE_HEADER, PROBE_PATH, type ProbeAnswer, proofFor, signProbe } from '../../api/status.ts'
import type { Config } from '../../config/settings.ts'
import { dnsClient, HostsFile } from '../../deliveries/guard/dns-client.ts'
import { NameError, NameResolver } from '../../deliveries/guard/name-resolver.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { Store } from '../../store/store.ts'
import { type Finding, type Findings, failed, ok, skipped, warning } from './findings.ts'
import { isLoopbackHost } from './settings.ts'

/** Greets the mail server and logs in. Sends nothing. */
export async function checkMail({ SMTP_URL: url }: Config): Promise<Finding[]> {
  if (url === null)
    return [skipped('SMTP_URL is not set: nobody can get a link by e-mail, for a lost key or to sign in')]
  return [...judgeMail(new URL(url), await tryMailServer(url))]
}

export function* judgeMail(url: URL, state: MailServerState): Findings {
  const server = `${url.hostname}:${url.port || (url.protocol === 'smtps:' ? 465 : 587)}`
  if (state.step === 'connecting')
    return yield failed(
      `The mail server ${server} does not answer: ${state.reason}`,
      'Check host and port in SMTP_URL (smtps:// for port 465), and that this machine may connect to it.',
    )
  if (state.step === 'logging in')
    return yield failed(
      `The mail server ${server} refuses the login: ${state.reason}`,
      'Check user and password in SMTP_URL; characters such as @ and / must be written as %40 and %2F.',
    )
  const entered = state.loggedIn
    ? `accepts the login as ${decodeURIComponent(url.username)}`
    : 'greets; SMTP_URL has no login'
  yield ok(`The mail server ${server} ${entered}${state.encrypted ? ', encrypted' : ''}`)
  if (!state.encrypted && !isLoopbackHost(url.hostname))
    yield warning(
      `The connection to ${server} is not encrypted, so links in mails ${state.loggedIn ? 'and the password ' : ''}can be read on the way`,
      'Use a server with STARTTLS or smtps://.',
    )
}

const systemLookup = promisify(lookup)
/** A name that exists as long as there is an internet. */
const EXAMPLE_NAME = 'example.org'
const MAX_NAMES = 4

interface ResolvedName {
  readonly name: string
  /** As the service resolves it: the addresses, or why there are none. */
  readonly service: readonly string[] | 'unknown' | 'no answer'
  /** Whether the system's own look-up finds it. */
  readonly systemKnows: boolean
}

/** Resolves names as webhooks and news sources are: by asking name servers, not the system. */
export async function checkDns(config: Config, store: Store | null): Promise<Finding[]> {
  const names = await namesToResolve(config, store)
  const resolver = new NameResolver({ resolveName: dnsClient(config.DNS_SERVERS), hosts: new HostsFile() })
  const resolved = await Promise.all(names.map((name) => resolve(name, resolver)))
  return judgeDns(resolved, config.DNS_SERVERS ?? getServers(), config.DNS_SERVERS !== null)
}

async function namesToResolve({ PUBLIC_URL }: Config, store: Store | null): Promise<string[]> {
  const sources = (await store?.sources.list()) ?? []
  const urls = [...(PUBLIC_URL === null ? [] : [PUBLIC_URL]), ...sources.map(({ url }) => url)]
  const names = urls.map((url) => new URL(url).hostname).filter((host) => isIP(host.replace(/^\[|\]$/g, '')) === 0)
  return names.length === 0 ? [EXAMPLE_NAME] : [...new Set(names)].slice(0, MAX_NAMES)
}

async function resolve(name: string, resolver: NameResolver): Promise<ResolvedName> {
  const [service, systemKnows] = await Promise.all([
    resolver.resolve(name).then(
      (addresses) => addresses.map(({ address }) => address),
      (error: unknown) => (error instanceof NameError && error.code === 'ENOTFOUND' ? 'unknown' : 'no answer'),
    ),
    systemLookup(name).then(
      () => true,
      () => false,
    ),
  ])
  return { name, service, systemKnows }
}

export function judgeDns(names: readonly ResolvedName[], servers: readonly string[], areSet: boolean): Finding[] {
  const asked = `${areSet ? 'DNS_SERVERS' : "the system's name servers"} (${servers.join(', ')})`
  return names.map(({ name, service, systemKnows }) => {
    if (typeof service !== 'string') return ok(`${name} is ${service.join(', ')}`)
    if (systemKnows)
      return failed(
        `The system knows ${name}, but ${asked} ${service === 'unknown' ? 'do not' : 'do not answer'}: webhooks and news sources would not reach it`,
        'Set DNS_SERVERS to name servers that this machine can ask.',
      )
    if (service === 'unknown' && name !== EXAMPLE_NAME)
      return warning(`${name} has no address`, 'Add it to the DNS, or correct the name.')
    return failed(
      service === 'unknown' ? `${name} is not known to ${asked}` : `No name server answers: ${asked}`,
      'Set DNS_SERVERS, or allow this machine to send UDP and TCP to port 53 of its name servers.',
    )
  })
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** An answer of the public address. `before` and `after`: this machine's time. */
interface PublicAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** The end of the certificate; null without TLS. */
  readonly certificateEnds: number | null
  readonly before: number
  readonly after: number
}

/** Not `fetch`: it neither shows the certificate nor sends X-Forwarded-For unchanged everywhere. */
function requestPublic(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PublicAnswer> {
  const request = url.startsWith('https:') ? requestEncrypted : requestPlain
  const before = Date.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
      const { socket, statusCode, headers } = answer
      const certificateEnds =
        socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to).getTime() : null
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= MAX_BYTES) chunks.push(chunk)
        else answer.destroy(new Error(`the answer is larger than ${MAX_BYTES} bytes`))
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({ status: statusCode!, headers, body, certificateEnds, before, after: Date.now() })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The answer of the public address, or the reason that there is none; null if it is not set. */
export type PublicState = { readonly answer: PublicAnswer } | { readonly error: NodeJS.ErrnoException } | null

const DAY_MS = 86_400_000
const CERTIFICATE_WARNING_DAYS = 14

export async function readPublicState(publicUrl: string | null): Promise<PublicState> {
  if (publicUrl === null) return null
  try {
    return { answer: await requestPublic(`${publicUrl}/readyz`) }
  } catch (error) {
    return { error: error as NodeJS.ErrnoException }
  }
}

/** `isThisService`: null if that could not be found out. */
export function* judgePublicAddress(
  publicUrl: string | null,
  state: PublicState,
  isThisService: boolean | null,
  now: number,
): Findings {
  if (state === null) return yield skipped('PUBLIC_URL is not set')
  if ('error' in state) return yield judgeError(publicUrl!, state.error)
  const { status, headers, body, certificateEnds } = state.answer
  const days = certificateEnds === null ? Number.POSITIVE_INFINITY : Math.floor((certificateEnds - now) / DAY_MS)
  if (days < CERTIFICATE_WARNING_DAYS)
    yield warning(`The certificate ends in ${days} days`, 'Renew it; whatever should do so by itself has not.')
  const ready = statusIn(body)
  const fail = (message: string, mend: string) => failed(`${publicUrl}/readyz ${message}`, mend)
  if (status >= 300 && status < 400)
    yield fail(`redirects to ${headers.location}`, 'Set PUBLIC_URL to the address that answers itself.')
  else if ([502, 503, 504].includes(status) && ready === null)
    yield fail(
      `answers ${status}: the proxy is there, the service behind it is not`,
      'Start the service, and compare the address that the proxy passes requests to with HOST and PORT.',
    )
  else if (ready === null)
    yield fail(
      `answers ${status}, but not as this service does`,
      'Let the proxy pass every path of this host to the service.',
    )
  else if (isThisService === false)
    yield fail(
      'is answered by a service with another database',
      'Compare DATABASE_URL here with that of the running service; the doctor must have the same settings.',
    )
  else if (status !== 200)
    yield fail(`says ${ready}`, 'Wait until the service has loaded its incidents; else look into its log.')
  else if (isThisService === null) yield ok(`${publicUrl} answers; whether it uses this database was not checked`)
  else yield ok(`${publicUrl} answers and is this service`)
}

/** `status` of an answer of /readyz; null if it is none. */
function statusIn(body: string): string | null {
  try {
    const { status } = JSON.parse(body) as { status?: unknown }
    return typeof status === 'string' ? status : null
  } catch {
    return null
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Add the name to the DNS, or correct PUBLIC_URL.',
  ECONNREFUSED: 'Start the proxy and the service, or correct the port in PUBLIC_URL.',
  ABORT_ERR:
    'Look for a firewall between this machine and the address. Some networks cannot reach their own public address.',
  CERT_HAS_EXPIRED: 'Renew the certificate.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Get a certificate of a public authority; clients refuse this one too.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Let the proxy send the whole chain (fullchain.pem, not cert.pem).',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Get a certificate for the host name in PUBLIC_URL.',
}

function judgeError(publicUrl: string, error: NodeJS.ErrnoException): Finding {
  const code = error.name === 'TimeoutError' ? 'ABORT_ERR' : (error.code ?? '')
  const mend = ADVICE[code] ?? 'Open it in a browser from another network to see whether it is only this machine.'
  return failed(`${publicUrl} does not answer: ${error.message || code}`, mend)
}

/** An address reserved for documentation, which no client has. */
const FORGED_ADDRESS = '192.0.2.123'

/** Two requests through the public address; the second one carried a forged X-Forwarded-For. */
export interface Probes {
  readonly plain: ProbeAnswer
  readonly forged: ProbeAnswer
}

/** Null if what answers at the public address is no service with this database. */
export async function probePublicAddress(publicUrl: string, secret: string, time: () => number) {
  const plain = await probe(publicUrl, secret, time, {})
  const forged = plain && (await probe(publicUrl, secret, time, { 'x-forwarded-for': FORGED_ADDRESS }))
  return plain && forged && { plain, forged }
}

/** Asks the service how this request reached it. */
async function probe(
  publicUrl: string,
  secret: string,
  time: () => number,
  headers: Readonly<Record<string, string>>,
): Promise<ProbeAnswer | null> {
  const token = signProbe(secret, time(), randomBytes(16).toString('base64url'))
  const { status, body } = await requestPublic(publicUrl + PROBE_PATH, { ...headers, [PROBE_HEADER]: token })
  if (status !== 200) return null
  try {
    const answer = JSON.parse(body) as ProbeAnswer
    return answer.proof === proofFor(secret, token, time()) ? answer : null
  } catch {
    return null
  }
}

/** `trustsSomebody`: whether TRUST_PROXY is set. */
export function judgeProxy({ plain, forged }: Probes, trustsSomebody: boolean): Finding {
  const { client_address: client, connection_address: connection, forwarded_for: header } = plain
  if (forged.client_address === FORGED_ADDRESS)
    return failed(
      `The service believes the address that a client writes into X-Forwarded-For (${FORGED_ADDRESS} in this request): anybody can escape limits by address`,
      'Let the proxy append to the header or replace it (deploy/nginx), and set TRUST_PROXY to no more proxies than there are.',
    )
  if (header === null && trustsSomebody)
    return warning(
      `TRUST_PROXY is set, but a request through PUBLIC_URL arrives from ${connection} without X-Forwarded-For`,
      'Let the proxy send it (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for), or unset TRUST_PROXY if there is no proxy.',
    )
  if (header === null) return ok(`Clients are counted by the address that connects; this machine is ${connection}`)
  if (plain.connection_is_trusted)
    return ok(`The proxy at ${connection} is trusted; the service takes this machine for ${client}`)
  const effect = 'all clients count as one, and share its limits'
  if (trustsSomebody)
    return failed(
      `The proxy connects from ${connection}, which TRUST_PROXY does not contain: ${effect}`,
      `Add it: TRUST_PROXY=…,${connection}`,
    )
  const isLoopback = connection === '::1' || connection.startsWith('127.')
  return warning(
    `A proxy at ${connection} sends X-Forwarded-For, but TRUST_PROXY is not set: ${effect}`,
    `Set TRUST_PROXY=${isLoopback ? 'loopback' : connection}`,
  )
}
