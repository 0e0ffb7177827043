import { randomBytes } from 'node:crypto'
import { PROBE_HEADER, PROBE_PATH, type ProbeAnswer, proofFor, signProbe } from '../../api/probe.ts'
import { requestPublic } from './public-request.ts'

/** An address reserved for documentation, which no client has. */
export const FORGED_ADDRESS = '192.0.2.123'

/** Null: what answers there is no service with this database. */
export type Probe = ProbeAnswer | null

/** Asks the service at the public address how this request reached it. */
export async function probeService(
  publicUrl: string,
  secret: string,
  time: () => number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Probe> {
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
