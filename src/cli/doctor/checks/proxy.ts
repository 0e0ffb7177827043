import type { ProbeAnswer } from '../../../api/probe.ts'
import { type Finding, failed, ok, warning } from '../finding.ts'
import { FORGED_ADDRESS } from '../probe.ts'

/** Two requests through the public address; the second one carried a forged X-Forwarded-For. */
export interface Probes {
  readonly plain: ProbeAnswer
  readonly forged: ProbeAnswer
}

/** `trustsSomebody`: whether TRUST_PROXY is set. */
export function judgeProxy({ plain, forged }: Probes, trustsSomebody: boolean): Finding[] {
  const { client_address: client, connection_address: connection, forwarded_for: header } = plain
  if (forged.client_address === FORGED_ADDRESS)
    return [
      failed(
        `The service believes the address that a client writes into X-Forwarded-For (${FORGED_ADDRESS} in this request): anybody can escape limits by address`,
        'Let the proxy append to the header or replace it (deploy/nginx), and set TRUST_PROXY to no more proxies than there are.',
      ),
    ]
  if (header === null)
    return trustsSomebody
      ? [
          warning(
            `TRUST_PROXY is set, but a request through PUBLIC_URL arrives from ${connection} without X-Forwarded-For`,
            'Let the proxy send it (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for), or unset TRUST_PROXY if there is no proxy.',
          ),
        ]
      : [ok(`Clients are counted by the address that connects; this machine is ${connection}`)]
  if (plain.connection_is_trusted)
    return [ok(`The proxy at ${connection} is trusted; the service takes this machine for ${client}`)]
  const effect = 'all clients count as one, and share its limits'
  return trustsSomebody
    ? [
        failed(
          `The proxy connects from ${connection}, which TRUST_PROXY does not contain: ${effect}`,
          `Add it: TRUST_PROXY=…,${connection}`,
        ),
      ]
    : [
        warning(
          `A proxy at ${connection} sends X-Forwarded-For, but TRUST_PROXY is not set: ${effect}`,
          `Set TRUST_PROXY=${isLoopback(connection) ? 'loopback' : connection}`,
        ),
      ]
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
