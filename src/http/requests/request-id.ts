import { randomBytes } from 'node:crypto'

/** Names a request in answers and logs: unlike any other process's, and cheap, for it is made at every request. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `req_${process}${(count++).toString(36).padStart(6, '0')}`
}
