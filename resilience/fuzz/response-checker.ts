import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FuzzRequest } from './generators/requests.ts'
import type { OpenApiDocument, Operation } from './openapi-document.ts'
import type { FuzzResponse } from './sender.ts'

const PROBLEM = 'application/problem+json'
const PROBLEM_SCHEMA = '/components/schemas/Problem'
const REQUIRED = 'must have required property'

type CheckedRequest = Pick<FuzzRequest, 'operation' | 'method' | 'target' | 'body'>

/** Checks responses against the OpenAPI document with Ajv, which is independent of this service. */
export class ResponseChecker {
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    // Each schema is compiled once: with them inlined, compiling takes as long as the requests.
    const options = { inlineRefs: false, code: { optimize: false } }
    this.#ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, ...options })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document.json, 'document')
  }

  /** Describes what is wrong with a response; null if it conforms to the document. */
  findProblem(request: CheckedRequest, response: FuzzResponse): string | null {
    const { operation, method } = request
    const { status, headers } = response
    if (status >= 500) return `status ${status}`
    const hasNoBody = method === 'HEAD' || status === 204 || status === 304
    if (hasNoBody && response.complete && response.body.length > 0) return `a body with status ${status} to ${method}`
    const type = /^[^;]+/.exec(headers['content-type'] ?? '')?.[0] ?? null
    // HTML pages are not in the document and render their errors as HTML.
    const isPage = operation === null && type === 'text/html'
    const isDeclared = Object.hasOwn(operation?.responses[status]?.content ?? {}, type ?? '')
    if (status >= 400 && type !== PROBLEM && method !== 'HEAD' && !isPage && !isDeclared)
      return `status ${status} as ${type} instead of ${PROBLEM}`
    if (operation === null)
      return type === PROBLEM && !hasNoBody ? this.#checkProblemDocument(response, PROBLEM_SCHEMA) : null
    const documented = operation.responses[status]
    if (documented === undefined) return `status ${status} is not documented`
    if (hasNoBody) return null
    if (documented.content === undefined)
      return response.body.length > 0 ? `a body with status ${status} is not documented` : null
    if (type === null || !Object.hasOwn(documented.content, type))
      return `status ${status} as ${type} is not documented`
    const { $ref: shared } = documented.content[type]!.schema
    // A schema of its own for each response would take most of the time of a run to compile.
    const pointer = shared?.slice(1) ?? pointerTo(operation, status, type)
    if (type === PROBLEM) return this.#checkProblemDocument(response, pointer)
    // The schema describes the whole body, not a range of it.
    if (status === 206) return null
    if (!response.complete) return checkStream(type, response.body)
    const violation = this.#checkBody(type, response.body, pointer)
    return choosesFields(request) && violation?.includes(REQUIRED) ? null : violation
  }

  #checkProblemDocument({ status, headers, body, complete }: FuzzResponse, pointer: string): string | null {
    if (!complete) return null
    const problem = parseJson(body) as { status?: unknown; request_id?: unknown } | undefined
    if (problem === undefined) return 'the problem document is not JSON'
    const violation = this.#checkSchema(problem, pointer)
    if (violation) return violation
    if (problem.status !== status) return `status ${status}, but the body says ${problem.status}`
    if (problem.request_id !== headers['x-request-id'] && headers['x-request-id'] !== undefined)
      return 'request_id differs from the X-Request-Id header'
    return null
  }

  #checkBody(type: string, body: Buffer, pointer: string): string | null {
    if (type === 'application/vnd.mapbox-vector-tile') return null
    if (type === 'application/x-ndjson') {
      const lines = body
        .toString()
        .split('\n')
        .filter((line) => line !== '')
      return lines.every((line) => parseJson(Buffer.from(line)) !== undefined) ? null : 'a line is not JSON'
    }
    const isJson = type === 'application/json' || type.endsWith('+json')
    const value = isJson ? parseJson(body) : body.toString()
    return value === undefined ? 'the body is not JSON' : this.#checkSchema(value, pointer)
  }

  #checkSchema(value: unknown, pointer: string): string | null {
    let validate = this.#validators.get(pointer)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `document#${pointer}` })
      this.#validators.set(pointer, validate)
    }
    if (validate(value)) return null
    const [first] = validate.errors!
    return `schema violation: ${first!.instancePath.replaceAll(/\d+/g, 'n')} ${first!.message}`
  }
}

/** `fields` leaves members out, which the schema of the answer cannot say. */
function choosesFields({ target, body }: CheckedRequest): boolean {
  return /[?&]fields=/.test(target) || (body?.includes('"fields"') ?? false)
}

function pointerTo({ path, method }: Operation, status: number, type: string): string {
  const steps = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}

/** Checks the complete lines of the beginning of an event stream. */
function checkStream(type: string, body: Buffer): string | null {
  if (type !== 'text/event-stream') return null
  const lines = body.toString().split('\n').slice(0, -1)
  const invalid = lines.find((line) => !/^(|:.*|(id|event|data|retry): .*)$/.test(line))
  return invalid === undefined ? null : 'a line is not valid in an event stream'
}
