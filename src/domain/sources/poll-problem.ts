/** Why a poll failed, by code: what the operator of the service can do about it. */
export const POLL_PROBLEMS = {
  unknown_host: 'The host name does not exist or cannot be resolved.',
  refused_address: 'The address leads into a private network; such feeds are not fetched.',
  connection_failed: 'No connection could be made, or it broke.',
  bad_certificate: 'The TLS certificate is not valid.',
  timeout: 'The server did not send the whole feed in time.',
  too_many_redirects: 'The server redirects too often, or in a circle.',
  rate_limited: 'The server asked for fewer requests; the next poll waits as long as it asked.',
  gone: 'The server says that the feed is gone for good.',
  not_found: 'There is no feed at this address.',
  forbidden: 'The server refuses to serve the feed to this service.',
  server_error: 'The server answered with an error of its own.',
  unexpected_answer: 'The server answered with a status that is not a feed.',
  too_large: 'The feed is larger than the limit, as sent or decompressed.',
  bad_encoding: 'The body cannot be decompressed or decoded.',
  not_a_feed: 'The answer is not RSS, Atom, RDF or JSON Feed.',
  unreadable: 'Reading the feed took too long or too much memory.',
  items_failed: 'Some items could not be saved; they are tried again.',
} as const satisfies Record<string, string>

export type PollProblemCode = keyof typeof POLL_PROBLEMS
export const POLL_PROBLEM_CODES = Object.keys(POLL_PROBLEMS) as readonly PollProblemCode[]

export interface PollProblem {
  readonly code: PollProblemCode
  /** One sentence with what was seen, such as the status. */
  readonly detail: string
}

/** Statuses with a meaning of their own; others follow from their class. */
const STATUS_PROBLEMS: Readonly<Record<number, PollProblemCode>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  410: 'gone',
  429: 'rate_limited',
  451: 'forbidden',
}

export function problemOfStatus(status: number): PollProblem {
  const code = STATUS_PROBLEMS[status] ?? (status >= 500 ? 'server_error' : 'unexpected_answer')
  return { code, detail: `The server answered ${status}. ${POLL_PROBLEMS[code]}` }
}
