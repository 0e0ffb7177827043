import { type Finding, failed, ok, skipped, warning } from '../finding.ts'
import { type PublicAnswer, requestPublic } from '../public-request.ts'

/** What the public address answered, or why it did not. */
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
export function judgePublicAddress(
  publicUrl: string | null,
  state: PublicState,
  isThisService: boolean | null,
  now: number,
): Finding[] {
  if (state === null) return [skipped('PUBLIC_URL is not set')]
  if ('error' in state) return [judgeError(publicUrl!, state.error)]
  const { status, headers, body, certificateEnds } = state.answer
  const findings = certificateEnds === null ? [] : judgeCertificate(certificateEnds, now)
  const fail = (message: string, mend: string) => [...findings, failed(`${publicUrl}/readyz ${message}`, mend)]
  if (status >= 300 && status < 400)
    return fail(`redirects to ${headers.location}`, 'Set PUBLIC_URL to the address that answers itself.')
  if ([502, 503, 504].includes(status) && statusIn(body) === null)
    return fail(
      `answers ${status}: the proxy is there, the service behind it is not`,
      'Start the service, and compare the address that the proxy passes requests to with HOST and PORT.',
    )
  const ready = statusIn(body)
  if (ready === null)
    return fail(
      `answers ${status}, but not as this service does`,
      'Let the proxy pass every path of this host to the service.',
    )
  if (isThisService === false)
    return fail(
      'is answered by a service with another database',
      'Compare DATABASE_URL here with that of the running service; the doctor must have the same settings.',
    )
  if (status !== 200)
    return fail(`says ${ready}`, 'Wait until the service has loaded its incidents; else look into its log.')
  const same = isThisService === null ? '; whether it uses this database was not checked' : ' and is this service'
  return [...findings, ok(`${publicUrl} answers${same}`)]
}

function judgeCertificate(ends: number, now: number): Finding[] {
  const days = Math.floor((ends - now) / DAY_MS)
  if (days >= CERTIFICATE_WARNING_DAYS) return []
  return [warning(`The certificate ends in ${days} days`, 'Renew it; whatever should do so by itself has not.')]
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
