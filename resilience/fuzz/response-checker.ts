import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FuzzRequest } from './generators/requests.ts'
import type { Document, Operation } from './openapi-document.ts'
import type { FuzzAnswer } from './sender.ts'

const PROBLEM = 'application/problem+json'
const PROBLEM_SCHEMA = '/components/schemas/Problem'
/** Holds answers against the document, with a validator that knows nothing of this service. */
export class Judge {
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: Document) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document.json, 'document')
  }

  /** What is wrong with an answer; null where nothing is. */
  faultIn({ operation, method }: Pick<FuzzRequest, 'operation' | 'method'>, answer: FuzzAnswer): string | null {
    const { status, headers } = answer
    if (status >= 500) return `a ${status}`
    const hasNoBody = method === 'HEAD' || status === 204 || status === 304
    if (hasNoBody && answer.whole && answer.body.length > 0) return `a body with a ${status} to ${method}`
    const type = /^[^;]+/.exec(headers['content-type'] ?? '')?.[0] ?? null
    // Pages for people say what is wrong in their own way; the document does not know them.
    const isPage = operation === null && type === 'text/html'
    if (status >= 400 && type !== PROBLEM && method !== 'HEAD' && !isPage)
      return `a ${status} as ${type}, not as a problem`
    if (operation === null) return type === PROBLEM && !hasNoBody ? this.#problemFault(answer, PROBLEM_SCHEMA) : null
    const response = operation.responses[status]
    if (response === undefined) return `a ${status} that the document does not name`
    if (hasNoBody) return null
    if (response.content === undefined)
      return answer.body.length > 0 ? `a ${status} with a body that the document does not name` : null
    if (type === null || !Object.hasOwn(response.content, type))
      return `a ${status} as ${type}, which the document does not name`
    const pointer = pointerTo(operation, status, type)
    if (type === PROBLEM) return this.#problemFault(answer, pointer)
    // A part of a document is not one itself.
    if (status === 206) return null
    return answer.whole ? this.#bodyFault(type, answer.body, pointer) : streamFault(type, answer.body)
  }

  #problemFault({ status, headers, body, whole }: FuzzAnswer, pointer: string): string | null {
    if (!whole) return null
    const problem = parsed(body) as { status?: unknown; request_id?: unknown } | undefined
    if (problem === undefined) return `a problem that is not JSON`
    const fault = this.#schemaFault(problem, pointer)
    if (fault) return fault
    if (problem.status !== status) return `a ${status} whose body says ${problem.status}`
    if (problem.request_id !== headers['x-request-id'] && headers['x-request-id'] !== undefined)
      return 'a request id that differs from the header'
    return null
  }

  #bodyFault(type: string, body: Buffer, pointer: string): string | null {
    if (type === 'application/vnd.mapbox-vector-tile') return null
    if (type === 'application/x-ndjson') {
      const lines = body
        .toString()
        .split('\n')
        .filter((line) => line !== '')
      return lines.every((line) => parsed(Buffer.from(line)) !== undefined) ? null : 'a line that is not JSON'
    }
    const isJson = type === 'application/json' || type.endsWith('+json')
    const value = isJson ? parsed(body) : body.toString()
    return value === undefined ? 'a body that is not JSON' : this.#schemaFault(value, pointer)
  }

  #schemaFault(value: unknown, pointer: string): string | null {
    let validate = this.#validators.get(pointer)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `document#${pointer}` })
      this.#validators.set(pointer, validate)
    }
    if (validate(value)) return null
    const [first] = validate.errors!
    return `against its schema: ${first!.instancePath.replaceAll(/\d+/g, 'n')} ${first!.message}`
  }
}

function pointerTo({ path, method }: Operation, status: number, type: string): string {
  const steps = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}

/** Lines as event streams have them, up to where it was left. */
function streamFault(type: string, body: Buffer): string | null {
  if (type !== 'text/event-stream') return null
  const lines = body.toString().split('\n').slice(0, -1)
  const odd = lines.find((line) => !/^(|:.*|(id|event|data|retry): .*)$/.test(line))
  return odd === undefined ? null : 'a line that no event stream has'
}
