/** The hosts of the push services of Chrome and most others, Firefox, Safari and Edge. */
const PUSH_SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^([\w-]+\.)*push\.services\.mozilla\.com$/,
  /^([\w-]+\.)*push\.apple\.com$/,
  /^([\w-]+\.)*notify\.windows\.com$/,
]

export type EndpointHost = 'push service' | 'allowed' | 'other'

/**
 * Says whose host an endpoint has. People without an account may name only push services, and the
 * hosts that the operator allows: to others, a stranger could have messages sent as to a webhook.
 */
export function hostOfEndpoint(text: string, furtherHosts: readonly string[]): EndpointHost {
  const url = URL.parse(text)
  if (url === null) return 'other'
  const { protocol, hostname, host, port, username, password } = url
  if (furtherHosts.includes(hostname) || furtherHosts.includes(host)) return 'allowed'
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  return isPlain && PUSH_SERVICES.some((known) => known.test(hostname)) ? 'push service' : 'other'
}
