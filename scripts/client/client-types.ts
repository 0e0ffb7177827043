import { openApi } from '../../src/api/contract/openapi.ts'
import { ENDPOINTS } from '../../src/api/contract/reference.ts'
import { comment, type JsonSchema, literal, membersOf, NAMED_LISTS, typeOf } from './schema-to-type.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** Schemas that no operation refers to, but that the client names. */
const CLIENT_SCHEMAS = ['Problem', 'IncidentCreatedMessage', 'IncidentUpdatedMessage', 'IncidentRetractedMessage']

const HEADER = `// Written by \`npm run generate:client\` from src/api/contract: change the contract instead.
`

/**
 * Writes the types of the client: what its operations take and answer, and every schema that these
 * refer to.
 */
export function clientTypes(): string {
  const document = openApi('0', 'http://localhost') as unknown as OpenApi
  const all = Object.values(document.paths).flatMap((path) => Object.values(path))
  const own = ENDPOINTS.map(({ id }) => all.find((each) => each.operationId === id)!)
  const { schemas } = document.components
  const roots = CLIENT_SCHEMAS.map((name) => `#/components/schemas/${name}`)
  const named = [...referredTo([roots, own.map(partsOf)], schemas)]
    .toSorted()
    .map((name) => declaration(name, `\`${name}\` as the API has it.`, schemas[name]!))
  return [HEADER, ...lists(), ...own.flatMap(operationTypes), operationMap(own), ...named].join('\n')
}

/** The parts of an operation that the client uses: all but its errors. */
function partsOf({ parameters = [], requestBody, responses }: Operation): unknown {
  return [
    parameters,
    requestBody,
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(jsonOf),
  ]
}

function jsonOf([, { content = {} }]: [string, Content]): JsonSchema | undefined {
  return Object.entries(content).find(([type]) => type.endsWith('json'))?.[1].schema
}

interface OperationParts {
  readonly base: string
  readonly query: readonly Parameter[]
  readonly body: JsonSchema | undefined
  readonly answer: readonly JsonSchema[]
}

function operationParts({ operationId, parameters = [], requestBody, responses }: Operation): OperationParts {
  return {
    base: operationId[0]!.toUpperCase() + operationId.slice(1),
    query: parameters.filter((each) => each.in === 'query'),
    body: requestBody?.content?.['application/json']?.schema,
    answer: Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(jsonOf)
      .filter((schema) => schema !== undefined),
  }
}

/** The parts of every operation by its id, for callers that know an operation by its id only. */
function operationMap(operations: readonly Operation[]): string {
  const members = operations.map((operation) => {
    const { base, query, body, answer } = operationParts(operation)
    const parts = [
      query.length === 0 ? '' : `query: ${base}Query`,
      body === undefined ? '' : `body: ${body.$ref === undefined ? `${base}Body` : typeOf(body)}`,
      `answer: ${isNamed(answer) ? answer.map((each) => typeOf(each)).join(' | ') || 'undefined' : `${base}Answer`}`,
    ]
    return `  ${operation.operationId}: { ${parts.filter((part) => part !== '').join('; ')} }\n`
  })
  return `/** Query, body and successful answer of every operation by its id. */\nexport interface Operations {\n${members.join('')}}\n`
}

function isNamed(answer: readonly JsonSchema[]): boolean {
  return answer.every(({ $ref }) => $ref !== undefined)
}

/** The types of one operation that have no name in the contract. */
function operationTypes(operation: Operation): string[] {
  const { summary } = operation
  const { base, query, body, answer } = operationParts(operation)
  return [
    ...(query.length === 0 ? [] : [declaration(`${base}Query`, `The parameters of “${summary}”.`, querySchema(query))]),
    ...(body === undefined || body.$ref !== undefined
      ? []
      : [declaration(`${base}Body`, `What “${summary}” takes.`, body)]),
    ...(isNamed(answer)
      ? []
      : [
          declaration(
            `${base}Answer`,
            `What “${summary}” answers.`,
            answer.length === 1 ? answer[0]! : { anyOf: answer },
          ),
        ]),
  ]
}

/** A list may be one value too: the client writes both the same way. */
function querySchema(parameters: readonly Parameter[]): JsonSchema {
  const members = parameters.map(({ name, description, schema }) => [
    name,
    { ...(schema.type === 'array' ? { anyOf: [schema.items!, schema] } : schema), description },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

function lists(): string[] {
  return Object.entries(NAMED_LISTS).map(
    ([name, { values, description }]) =>
      `${comment(description, '')}export type ${name} =\n${values.map((value) => `  | ${literal(value)}\n`).join('')}`,
  )
}

function declaration(name: string, summary: string, schema: JsonSchema): string {
  const doc = comment(schema.description ?? summary, '')
  const isObject = schema.type === 'object' && schema.properties !== undefined
  return isObject
    ? `${doc}export interface ${name} {\n${membersOf(schema, '')}}\n`
    : `${doc}export type ${name} = ${typeOf(schema)}\n`
}

/**
 * The names of the schemas that a part of the document refers to, and those that these refer to.
 */
function referredTo(
  part: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name!)) continue
    found.add(name!)
    referredTo(schemas[name!], schemas, found)
  }
  return found
}
