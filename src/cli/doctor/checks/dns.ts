import { getServers, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { Config } from '../../../config/settings.ts'
import { dnsClient, HostsFile } from '../../../deliveries/guard/dns-client.ts'
import { NameError, NameResolver } from '../../../deliveries/guard/name-resolver.ts'
import type { Store } from '../../../store/store.ts'
import { type Finding, failed, ok, warning } from '../finding.ts'

const systemLookup = promisify(lookup)
/** A name that exists as long as there is an internet. */
const EXAMPLE_NAME = 'example.org'
const MAX_NAMES = 4

export interface ResolvedName {
  readonly name: string
  /** As the service resolves it: the addresses, or why there are none. */
  readonly service: readonly string[] | 'unknown' | 'no answer'
  /** Whether the system's own look-up finds it. */
  readonly systemKnows: boolean
}

/** Resolves names as webhooks and news sources are: by asking name servers, not the system. */
export async function checkDns(config: Config, store: Store | null): Promise<Finding[]> {
  const names = await namesToResolve(config, store)
  const resolveName = dnsClient(config.DNS_SERVERS)
  const resolver = new NameResolver({ resolveName, hosts: new HostsFile() })
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
