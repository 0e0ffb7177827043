import type { Endpoint } from '../../../api/contract/endpoint.ts'
import { ENDPOINTS } from '../../../api/contract/reference.ts'
import type { Json, SampleMethod, SampleRequest } from '../../../lib/code-samples.ts'
import { answerOf } from './endpoint-request.ts'

/** Answers in these formats are not JSON. */
const TEXT_FORMATS = /format=(csv|ndjson)|^text\/csv|ndjson/

/**
 * Reads a request as the guides write it: a line `GET /v1/incidents?state=Kaduna`, headers if any,
 * and a JSON body after an empty line. The contract says whether it needs a key.
 */
export function writtenRequest(text: string, publicUrl: string): SampleRequest {
  const [head = '', ...content] = text.split('\n\n')
  const [first = '', ...headerLines] = head.split('\n')
  const [method, target] = first.split(' ') as [SampleMethod, string | undefined]
  const declared = target === undefined ? undefined : endpointFor(method, target.split('?', 1)[0]!)
  if (target === undefined || declared === undefined) throw new Error(`No endpoint answers "${first}".`)
  const written = Object.fromEntries(headerLines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
  const body = content.length > 0 ? (JSON.parse(content.join('\n\n')) as Json) : undefined
  const isText = TEXT_FORMATS.test(target) || TEXT_FORMATS.test(written.Accept ?? '')
  return {
    method,
    url: publicUrl + target,
    headers: {
      ...(declared.scope === null || target.includes('key=') ? {} : { Authorization: 'Bearer $KEY' }),
      ...written,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    answer: isText ? 'text' : answerOf(declared),
  }
}

/** The longest path that fits: `/v1/incidents/{id}.cap` before `/v1/incidents/{id}`. */
function endpointFor(method: string, path: string): Endpoint | undefined {
  return ENDPOINTS.filter((declared) => {
    const shape = declared.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')
    return declared.method === method && new RegExp(`^${shape}$`).test(path)
  }).toSorted((one, other) => other.path.length - one.path.length)[0]
}
