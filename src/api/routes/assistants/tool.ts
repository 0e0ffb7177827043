import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { QueryClient } from '../../requests/client.ts'
import type { Environment, Services } from '../../services.ts'

/** The request of an assistant, as tools see it. */
export interface ToolContext {
  /** Whose caller's saved areas count. */
  readonly request: FastifyRequest
  readonly environment: Environment
  readonly services: Services
  readonly asker: QueryClient
  /** Told of a fault of ours; the assistant only learns that there is one. */
  onError(error: unknown): void
}

/** A place where an assistant finds more: an incident, or a page for people. */
export interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  readonly description?: string
}

export interface ToolAnswer {
  /** Satisfies the tool's `output`. */
  readonly content: object
  readonly links: readonly ResourceLink[]
}

export type ToolArguments = Readonly<Record<string, unknown>>

/** A question that an assistant may ask. No tool changes anything. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** Tells the assistant when to use the tool and what the answer leaves out. */
  readonly description: string
  readonly input: TSchema
  readonly output: TSchema
  /** Throws a `Problem` for wrong arguments; its hints reach the assistant. */
  call(given: ToolArguments, context: ToolContext): ToolAnswer | Promise<ToolAnswer>
}
