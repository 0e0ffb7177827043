import fc from 'fast-check'
import type { OpenApiDocument, Operation, Schema } from '../openapi-document.ts'
import { objectOf } from './any-value.ts'
import type { LearnedValues } from './learned-values.ts'
import { encode, operationPath } from './paths.ts'
import type { FuzzRequest } from './requests.ts'

/** Replacements for each string: texts that a database cannot hold, and those that are too long. */
const HOSTILE: readonly ((valid: string) => string)[] = [
  (valid) => `${valid.slice(0, 3)}\0${valid.slice(3)}`,
  (valid) => `${valid}\ud800`,
  (valid) => `\udc00${valid}`,
  () => '"x\0y"@example.org',
  // Cut at an even length, it ends with half of a surrogate pair.
  (valid) => `${valid}${valid.length % 2 === 0 ? 'x' : ''}${'💥'.repeat(2000)}`,
  (valid) => valid + 'é'.repeat(60_000),
]
/** As longer paths and queries would be, the whole request is refused. */
const LONGEST_IN_ADDRESS = 1200
const SEED = 1

type Sent = Pick<FuzzRequest, 'target' | 'body' | 'headers'>

/**
 * Requests that are valid but for one string: each path and query parameter, each string at any
 * depth of the body, and each name of a member, becomes each of the hostile texts in turn.
 */
export function* hostileStrings(
  document: OpenApiDocument,
  learned: LearnedValues,
  authorization: string,
): Generator<FuzzRequest & { readonly operation: Operation }> {
  for (const operation of document.operations) {
    for (const { target, body, headers } of requestsTo(operation, document, learned)) {
      const type = body === null ? [] : ([['content-type', 'application/json']] as const)
      yield {
        operation,
        method: operation.method,
        target,
        headers: [['authorization', authorization], ...type, ...headers],
        body,
        disconnectsEarly: false,
        streamMs: 0,
      }
    }
  }
}

function* requestsTo(operation: Operation, document: OpenApiDocument, learned: LearnedValues): Generator<Sent> {
  const { parameters, body: schema } = operation
  // Drawn for each request: what an earlier one named may be gone.
  const path = () => fc.sample(operationPath(operation, learned, fc.constant(encode)), { numRuns: 1, seed: SEED })[0]!
  const query = parameters.flatMap((one) =>
    one.in === 'query' && one.required ? [[one.name, [one.example ?? ''].flat().join(',')] as const] : [],
  )
  const queryWith = (name: string, value: string) => {
    const pairs = [...query.filter(([other]) => other !== name), [name, value] as const]
    return pairs.map(([each, text]) => `${encodeBytes(each)}=${encodeBytes(text)}`).join('&')
  }
  const usual = query.length === 0 ? '' : `?${query.map(([name, text]) => `${name}=${encode(text)}`).join('&')}`
  const valid = schema === null ? null : sampleOf(document, schema)
  const validBody = valid === null ? null : bytesOf(valid)
  for (const spoil of HOSTILE) {
    for (const { name, in: place, example } of parameters) {
      const text = spoil([example ?? 'x'].flat().join(',')).slice(0, LONGEST_IN_ADDRESS)
      if (place === 'query') yield { target: `${path()}?${queryWith(name, text)}`, body: validBody, headers: [] }
      const named = () => operation.path.replace(`{${name}}`, () => encodeBytes(text)).replaceAll(/\{\w+\}/g, '1')
      if (place === 'path') yield { target: named() + usual, body: validBody, headers: [] }
      // Bytes that no header may have are sent by `raw-socket.ts`.
      const header = text.replaceAll(/[^\x20-\x7e]/g, 'é')
      if (place === 'header') yield { target: path() + usual, body: validBody, headers: [[name, header]] }
    }
    if (schema === null) continue
    for (const body of spoiled(document, schema, valid, spoil))
      yield { target: path() + usual, body: bytesOf(body), headers: [] }
  }
}

/** Every half of a pair is sent as the bytes that it would have. */
function encodeBytes(text: string): string {
  return text
    .split(/([\ud800-\udfff])/u)
    .map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('')
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** The value with one string of the schema spoiled, for each of them. */
function* spoiled(
  document: OpenApiDocument,
  reference: Schema,
  valid: unknown,
  spoil: (valid: string) => string,
): Generator<unknown> {
  const schema = document.resolve(reference)
  for (const branch of schema.anyOf ?? []) {
    const fits = typeof valid === 'object' && valid !== null
    yield* spoiled(document, branch, fits ? valid : sampleOf(document, branch), spoil)
  }
  if (schema.type === 'string') yield spoil(typeof valid === 'string' ? valid : 'x')
  if (schema.type === 'array') {
    const [first = sampleOf(document, schema.items ?? {})] = Array.isArray(valid) ? valid : []
    for (const item of spoiled(document, schema.items ?? {}, first, spoil)) yield [item]
  }
  // A filter, which the document describes in words only: any text, and the texts in its sample.
  if (schema.type === undefined && schema.anyOf === undefined) yield spoil('x')
  const isObject = typeof valid === 'object' && valid !== null && !Array.isArray(valid)
  const given = isObject ? (valid as Record<string, unknown>) : {}
  if (schema.type !== 'object' && !isObject) return
  yield { ...given, [spoil('x')]: 1 }
  const { properties = {}, required = [] } = schema
  for (const name of new Set([...Object.keys(properties), ...Object.keys(given)])) {
    const inner = properties[name] ?? { type: typeof given[name] }
    const member = given[name] ?? sampleOf(document, inner)
    for (const value of spoiled(document, inner, member, spoil)) {
      yield { ...given, [name]: value }
      // Alone: what the example has instead may exclude it.
      const others = required.filter((each) => each !== name).map((each) => [each, given[each]])
      yield { ...Object.fromEntries(others), [name]: value }
    }
  }
}

/** The example of a schema, or the smallest value that fits it. */
function sampleOf(document: OpenApiDocument, reference: Schema): unknown {
  const schema = document.resolve(reference)
  const { example, anyOf, type, items = {}, minItems = 0, minimum = 1, properties = {}, required = [] } = schema
  if (example !== undefined) return example
  if (schema.enum) return schema.enum[0]
  if (anyOf) return sampleOf(document, anyOf[0]!)
  if (type === 'object')
    return objectOf(required.map((name) => ({ name, value: sampleOf(document, properties[name]!) })))
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(document, items))
  if (type === 'integer' || type === 'number') return minimum
  return type === 'boolean' ? true : type === 'null' ? null : 'text'
}
