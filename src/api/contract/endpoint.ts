import type { Static, TSchema } from 'typebox'
import type { Operations } from '../../../client/src/generated/types.ts'
import { SELF_SERVICE_SCOPES } from '../../accounts/keys.ts'
import { ROLES, SCOPES_BY_ROLE } from '../../domain/accounts.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { Scope } from '../../domain/keys.ts'
import type { NumberBounds, Parameter } from '../../filter/parameters.ts'

/** The groups of operations, in the order of the reference. */
export const TAGS = {
  Incidents: 'Incidents: what happened, where, and with what confidence.',
  Feeds: 'For feed readers and alerting systems.',
  Archive: 'Downloads of the whole archive, by month.',
  Places: 'States, LGAs and the places in them.',
  Assistants: 'For assistants that speak the Model Context Protocol.',
  Areas: 'Polygons, routes and circles that your account has saved, to use in filters.',
  Sites: 'Lists of sites with radii that your account has saved, to use in filters.',
  Watches: 'Webhooks: saved filters, signed POSTs, and the log of every delivery.',
  Alerts: 'Mails and notifications about an area for people without an account; no key is needed.',
  Desk: 'Reports and decisions on them; for reporters and editors.',
  Tips: 'What the public tells the desk; no key is needed.',
  Keys: 'Accounts, keys and their permissions.',
  Sessions: 'Signing in on the pages of this service.',
  Admin: 'All accounts and keys; for admins.',
  Service: 'The state of this service.',
} as const
export type Tag = keyof typeof TAGS

/** One operation: the source of its validation, route, OpenAPI entry and reference page. */
export interface Endpoint {
  readonly id: keyof Operations
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly aliases?: readonly string[]
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** The scope that the key or session must have; null if none is needed. */
  readonly scope: Scope | null
  /** The scope that a key or session must have if there is one, although none is needed. */
  readonly scopeIfGiven?: Scope
  /** Set if every scope of the account's role is needed. */
  readonly needsWholeRole?: true
  /** Whether a publishable key may be sent as `?key=`, for readers that cannot send headers. */
  readonly keyInQuery?: true
  /** A limit of the account that each use counts against, besides its requests. */
  readonly quota?: 'watch_tests_per_minute' | 'previews_per_minute' | 'site_uploads_per_minute'
  readonly pathParameters?: Readonly<Record<string, PathParameter>>
  readonly query?: Readonly<Record<string, Parameter>>
  /** The headers that it reads, besides `Authorization`, `Accept` and `Idempotency-Key`. */
  readonly requestHeaders?: readonly RequestHeader[]
  readonly body?: TSchema
  /** The same content in other formats, by media type; the handler reads them. */
  readonly otherBodies?: Readonly<Record<string, TSchema>>
  /** Default: 256 KB. */
  readonly maxBodyBytes?: number
  /**
   * Values of path and query parameters in the printed sample, besides the examples of required
   * ones. Null if nobody can write the request by hand, because it holds the cookie of a browser or
   * what a program computes.
   */
  readonly sample?: Readonly<Record<string, string>> | null
  /** Set if the router does not always validate: optional body, or entries checked one by one. */
  readonly bodyCheck?: 'where given' | 'by the handler'
  /** Set for a POST whose body is a question: it writes nothing and needs no `Idempotency-Key`. */
  readonly readsOnly?: true
  /** Set for a POST whose answer sets a cookie or holds a secret: `Idempotency-Key` is ignored. */
  readonly neverReplayed?: true
  readonly response: EndpointResponse
  /** Other successful responses. */
  readonly otherResponses?: readonly EndpointResponse[]
  /** The errors specific to this endpoint, besides those that any endpoint may return. */
  readonly problems?: readonly ErrorCode[]
}

/** A description alone stands for a text. */
export type PathParameter = string | { readonly description: string; readonly number: NumberBounds }

export interface EndpointResponse {
  readonly status: number
  readonly description: string
  /** Null if the response has no body. */
  readonly schema: TSchema | null
  /** Default: `application/json`. */
  readonly contentType?: string
  /** The same content in other formats, by media type. */
  readonly alternatives?: Readonly<Record<string, TSchema>>
  readonly headers?: Readonly<Record<string, string>>
}

export type BodyOf<Declared extends Endpoint> = Declared['bodyCheck'] extends 'by the handler'
  ? unknown
  : Declared['body'] extends TSchema
    ? Static<Declared['body']> | (Declared['bodyCheck'] extends 'where given' ? undefined : never)
    : undefined

/** Reads are answered from memory, writes from the database. */
export function isRead({ method, readsOnly }: Pick<Endpoint, 'method' | 'readsOnly'>): boolean {
  return method === 'GET' || readsOnly === true
}

/** A POST that writes runs once for each `Idempotency-Key`. */
export function takesIdempotencyKey(declared: Endpoint): boolean {
  return declared.method === 'POST' && !declared.readsOnly && !declared.neverReplayed
}

/** The members by which the authenticator decides who is admitted. */
export type Requirements = Pick<Endpoint, 'scope' | 'scopeIfGiven' | 'needsWholeRole'>

/** Names the scope that a machine reads in the document, as `x-required-scope`. */
export function requiredScope({ scope }: Requirements): Scope | 'none' {
  return scope ?? 'none'
}

/** Says what the authenticator checks. */
export function requirementSentence({ scope, scopeIfGiven, needsWholeRole }: Requirements): string {
  if (scope === null)
    return `Works without a key${scopeIfGiven === undefined ? '' : `; with a key, it needs the scope \`${scopeIfGiven}\``}.`
  if (needsWholeRole) return `Needs the scope \`${scope}\` and all other scopes of the account's role.`
  const roles = ROLES.filter((role) => SCOPES_BY_ROLE[role].includes(scope))
  const holders = [
    ...(roles.length === ROLES.length ? ['every role'] : roles),
    ...(SELF_SERVICE_SCOPES.publishable.includes(scope) ? ['publishable keys'] : []),
  ]
  return `Needs the scope \`${scope}\` (${holders.join(', ')}).`
}

/** The description with what the operation needs, for readers of the document alone. */
export function wholeDescription(declared: Endpoint): string {
  return `${declared.description ?? declared.summary}\n\n${requirementSentence(declared)}`
}

/** Every endpoint by its id, once its module is loaded. */
export const DECLARED: Record<string, Endpoint> = {}

/** The plain answer of most endpoints. */
export function ok<Schema extends TSchema>(description: string, schema: Schema) {
  return { status: 200, description, schema } as const
}

/** Every request header that an endpoint may declare, as the document describes it. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Any text that you use for this request only, such as a UUID: a repetition with the same body gets the same answer for 24 hours, and is not carried out again.',
    example: '0b7c3e0e-6b1f-4a57-9f4e-2d1c7f3a9b60',
    pattern: '^[\\x21-\\x7e]{1,255}$',
  },
  'If-Match': {
    description: 'The version that you have read, in quotes, or `*` for any. A stale one is refused with 412.',
    example: '"3"',
  },
  'If-None-Match': {
    description: 'The `ETag` of the answer that you have: 304 without a body while nothing has changed.',
    example: 'W/"8123"',
  },
  'If-Range': {
    description: 'The `ETag` of the part that you have: the range is sent only if the file is still the same.',
    example: '"8123"',
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event that you have; SSE clients send it by themselves.',
    example: '8123.Xk3yR0pWc9A',
  },
  Range: { description: 'A single range of bytes of the uncompressed file.', example: 'bytes=0-99' },
} as const satisfies Record<string, { description: string; example: string; pattern?: string }>

export type RequestHeader = keyof typeof REQUEST_HEADERS

/** Taken by the router, of any endpoint that declares it. */
export const MIN_SEQ = 'min_seq'

export const NEWNESS_PARAMETERS = {
  [MIN_SEQ]: {
    description:
      'The number of the newest event that you know of, such as `meta.seq`. Caches on the way keep an answer for each number, so none gives you one from before that event. ' +
      'A node that has not reached the event yet says so with `Stale-Seconds`.',
    example: '8123',
    number: { type: 'integer', minimum: 0 },
  },
} as const satisfies Record<string, Parameter>

/** Problems of every endpoint that searches the archive with a filter. */
export const SEARCH_PROBLEMS = ['too_many_values', 'too_much_work', 'busy'] as const satisfies readonly ErrorCode[]

/** Of every endpoint that takes `area`: the account has no such area. */
export const AREA_PROBLEMS = ['not_found'] as const satisfies readonly ErrorCode[]

type Route = `${Endpoint['method']} /${string}`
type MethodIn<Text extends Route> = Text extends `${infer Method extends Endpoint['method']} ${string}` ? Method : never
type Named = 'id' | 'method' | 'path'

/**
 * Declares endpoints that share members, such as their tag and scope. An endpoint is named by its
 * id and its route, as `GET /v1/areas/{id}`; its own members win over shared ones.
 */
export function endpointsOf<const Shared extends Partial<Endpoint>>(shared: Shared) {
  return <
    const Id extends Endpoint['id'],
    const Text extends Route,
    const Declared extends Omit<Endpoint, Named | keyof Shared> &
      Partial<Pick<Endpoint, keyof Shared & keyof Endpoint>>,
  >(
    id: Id,
    route: Text,
    declared: Declared,
  ) => {
    const [method, path] = route.split(' ') as [MethodIn<Text>, string]
    const whole = { id, method, path, ...shared, ...declared }
    DECLARED[id] = whole as unknown as Endpoint
    return whole as unknown as Omit<Shared, keyof Declared> &
      Declared & { readonly id: Id; readonly method: MethodIn<Text>; readonly path: string }
  }
}

export const endpoint = endpointsOf({})
