import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../domain/errors.ts'
import type { Scope } from '../domain/key.ts'
import type { Parameter } from '../query/filter/parameters.ts'

/** What the operations are about, in the order of the reference. */
export const TAGS = {
  Incidents: 'What happened, where, and how sure that is.',
  Feeds: 'For feed readers and alerting systems.',
  Archive: 'Everything there is, a month at a time.',
  Places: 'States, LGAs and what lies in them.',
  Watches: 'Being told at once: saved filters, signed POSTs, and what became of each.',
  Desk: 'Taking in reports and deciding on them; for the operator.',
  Keys: 'Who is asking, and what they may do.',
} as const
export type Tag = keyof typeof TAGS

/** One operation of the API, declared once: its validation, its route, its OpenAPI and its page come from here. */
export interface Endpoint {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As OpenAPI writes it: `/v1/incidents/{id}`. */
  readonly path: string
  /** Other paths with the same handler. */
  readonly aliases?: readonly string[]
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** What the key must allow; null where no key is needed. */
  readonly scope: Scope | null
  /** Whether a publishable key may come as `?key=`, from readers that cannot send headers. */
  readonly keyInQuery?: true
  readonly pathParameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, Parameter>>
  readonly body?: TSchema
  /** Where it is not always: a body that may be missing, or a list whose entries are judged one by one. */
  readonly bodyCheck?: 'where given' | 'by the handler'
  readonly response: EndpointResponse
  /** Other ways in which it may succeed. */
  readonly otherResponses?: readonly EndpointResponse[]
  /** The refusals that are this endpoint's own, besides those that any endpoint may give. */
  readonly problems?: readonly ErrorCode[]
}

export interface EndpointResponse {
  readonly status: number
  readonly description: string
  /** Null where the answer has no body. */
  readonly schema: TSchema | null
  /** `application/json` where not given. */
  readonly contentType?: string
  /** The same in other formats, by their types. */
  readonly alternatives?: Readonly<Record<string, TSchema>>
  readonly headers?: Readonly<Record<string, string>>
}

export type BodyOf<Declared extends Endpoint> = Declared['bodyCheck'] extends 'by the handler'
  ? unknown
  : Declared['body'] extends TSchema
    ? Static<Declared['body']> | (Declared['bodyCheck'] extends 'where given' ? undefined : never)
    : undefined

export function endpoint<const Declared extends Endpoint>(declared: Declared): Declared {
  return declared
}
