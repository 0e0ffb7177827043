/** Stands for a value that is not shown; sent back, it keeps the value of a header as it is. */
export const MASK = '***'

export const MAX_HEADERS = 10
export const MAX_HEADER_NAME_LENGTH = 64
export const MAX_HEADER_VALUE_LENGTH = 1024

/**
 * A request header that the owner of a watch adds to its messages. Names are unique in any case.
 */
export interface WatchHeader {
  readonly name: string
  /** A secret: it is often a token of the endpoint. */
  readonly value: string
}

export interface HeaderChange {
  readonly name: string
  /** Null keeps the value that the watch has for this name. */
  readonly value: string | null
}

/** A token of RFC 9110. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Spaces at the ends would be lost on the way; control characters would end the header. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/

/**
 * Names that owners cannot use, in lower case; `-*` is any name that begins so. The first rule
 * counts.
 */
const RESERVED = [
  { reason: 'the service sets it from the URL', names: ['host'] },
  { reason: 'the service sets it from the message', names: ['content-*', 'webhook-*', 'user-agent', 'date'] },
  {
    reason: 'it belongs to the connection, not to the message',
    names: ['connection', 'keep-alive', 'proxy-*', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
  },
  { reason: 'the service sends the message at once', names: ['expect'] },
  { reason: 'the service does not decompress answers', names: ['accept-encoding'] },
  { reason: 'the service forwards nothing', names: ['forwarded', 'via', 'x-forwarded-*', 'x-real-ip'] },
  { reason: 'it is obsolete, or belongs to answers', names: ['cookie2', 'set-cookie', 'set-cookie2'] },
] as const

/** Returns what is wrong with the name; null if an owner may use it. */
export function headerNameFault(name: string): string | null {
  if (name.length > MAX_HEADER_NAME_LENGTH) return `has a name of more than ${MAX_HEADER_NAME_LENGTH} characters`
  if (!TOKEN.test(name)) return "has a name with other characters than letters, digits and !#$%&'*+-.^_`|~"
  const lower = name.toLowerCase()
  const matches = (rule: string) => (rule.endsWith('*') ? lower.startsWith(rule.slice(0, -1)) : lower === rule)
  const rule = RESERVED.find(({ names }) => names.some(matches))
  return rule === undefined ? null : `cannot be set: ${rule.reason}`
}

/** The fault does not repeat the value, which may be a secret. */
export function headerValueFault(value: unknown): string | null {
  if (typeof value === 'string' && value.length <= MAX_HEADER_VALUE_LENGTH && VALUE.test(value)) return null
  return `must be a text of 1 to ${MAX_HEADER_VALUE_LENGTH} printable ASCII characters, with no space at its ends`
}

function sameHeader(one: Pick<WatchHeader, 'name'>, other: Pick<WatchHeader, 'name'>): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase()
}

/** Returns the names whose value is to be kept although there is none. */
export function unknownHeaders(before: readonly WatchHeader[], changes: readonly HeaderChange[]): string[] {
  const isKnown = (change: HeaderChange) => before.some((header) => sameHeader(header, change))
  return changes.filter((change) => change.value === null && !isKnown(change)).map(({ name }) => name)
}

/**
 * Returns the names of headers whose stored values would be sent to another origin: a change that
 * keeps them, or says nothing of them, while it moves the URL. A key could read the values that
 * way.
 */
export function headersLeavingOrigin(
  before: { readonly url: string; readonly headers: readonly WatchHeader[] },
  change: { readonly url?: string; readonly headers?: readonly HeaderChange[] },
): string[] {
  if (change.url === undefined || new URL(change.url).origin === new URL(before.url).origin) return []
  const kept = change.headers?.filter(({ value }) => value === null) ?? before.headers
  return kept.map(({ name }) => name)
}

/** The changes name all headers that the watch has afterwards. */
export function changedHeaders(before: readonly WatchHeader[], changes: readonly HeaderChange[]): WatchHeader[] {
  return changes.flatMap((change) => {
    const { name } = change
    const value = change.value ?? before.find((header) => sameHeader(header, change))?.value
    return value === undefined ? [] : [{ name, value }]
  })
}

export function maskedHeaders(headers: readonly WatchHeader[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name }) => [name, MASK]))
}
