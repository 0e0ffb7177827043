/** The part of JSON Schema that the generators read. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly example?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: string | readonly string[]
}

interface Response {
  /** Schemas by media type; absent if the response has no body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface RawOperation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Matches the paths of this operation. */
  readonly pattern: RegExp
  readonly parameters: readonly Parameter[]
  readonly body: Schema | null
  readonly responses: Readonly<Record<string, Response>>
}

/** The OpenAPI document of a running service. */
export class OpenApiDocument {
  readonly json: object
  readonly operations: readonly Operation[]
  readonly #schemas: Readonly<Record<string, Schema>>

  constructor(json: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }) {
    this.json = json
    this.#schemas = json.components.schemas
    this.operations = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => operationOf(method.toUpperCase(), path, raw)),
    )
  }

  /** Returns the schema that a reference points to, or the schema itself. */
  resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.#schemas[schema.$ref.split('/').at(-1)!]!
  }
}

export async function readDocument(url: string): Promise<OpenApiDocument> {
  return new OpenApiDocument(
    (await (await fetch(`${url}/openapi.json`)).json()) as ConstructorParameters<typeof OpenApiDocument>[0],
  )
}

function operationOf(method: string, path: string, raw: RawOperation): Operation {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  const body = raw.requestBody?.content['application/json']?.schema ?? null
  return { id: raw.operationId, method, path, pattern, parameters: raw.parameters, body, responses: raw.responses }
}
