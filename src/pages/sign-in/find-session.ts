import type { FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { StoreUnavailable } from '../../store/store.ts'

/** `unknown`: the script has to ask. */
export type SessionFound = 'yes' | 'no' | 'unknown'

/** Whether the reader of a page that works without a session has one. */
export async function findSession(
  request: FastifyRequest,
  hasSession: (request: FastifyRequest) => Promise<boolean>,
): Promise<SessionFound> {
  try {
    if (await hasSession(request)) return 'yes'
  } catch (error) {
    // The page works without the database, and shows what the script is told.
    if (error instanceof Problem || error instanceof StoreUnavailable) return 'unknown'
    throw error
  }
  // A browser keeps the cookie back if a page of another site led here.
  return request.headers['sec-fetch-site'] === 'cross-site' ? 'unknown' : 'no'
}
