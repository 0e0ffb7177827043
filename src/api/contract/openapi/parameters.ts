import { MAX_LIST_VALUES, type Parameter } from '../../../filter/filter/parameters.ts'
import { type Endpoint, takesIdempotencyKey } from '../endpoint.ts'
import { REQUEST_HEADERS, type RequestHeader } from '../request-headers.ts'
import type { Json } from './schemas.ts'

export function parametersOf(declared: Endpoint): Json[] {
  return [...pathParameters(declared), ...queryParameters(declared), ...headerParameters(declared)]
}

function pathParameters(declared: Endpoint): Json[] {
  return Object.entries(declared.pathParameters ?? {}).map(([name, parameter]) => {
    const { description, number } = typeof parameter === 'string' ? { description: parameter, number: null } : parameter
    return { name, in: 'path', required: true, description, schema: number ?? { type: 'string' } }
  })
}

function queryParameters(declared: Endpoint): Json[] {
  return Object.entries<Parameter>(declared.query ?? {}).map(([name, parameter]) => {
    const { description, required = false } = parameter
    return { name, in: 'query', required, description, ...schemaAndExample(parameter) }
  })
}

/** A query string is text, which the service parses and judges itself; clients see a number. */
function schemaAndExample({ example, values, several, number }: Parameter): Json {
  if (number) return { schema: number, example: Number(example) }
  const value = { type: 'string', ...(values ? { enum: [...values] } : {}) }
  if (!several) return { schema: value, example }
  return {
    style: 'form',
    explode: false,
    schema: { type: 'array', items: value, maxItems: MAX_LIST_VALUES },
    example: example.split(','),
  }
}

function headerParameters(declared: Endpoint): Json[] {
  const names: RequestHeader[] = [
    ...(takesIdempotencyKey(declared) ? (['Idempotency-Key'] as const) : []),
    ...(declared.requestHeaders ?? []),
  ]
  return names.map((name) => {
    const { description, example, ...rest }: { description: string; example: string; pattern?: string } =
      REQUEST_HEADERS[name]
    const required = name === 'If-Match' && (declared.problems ?? []).includes('version_required')
    return { name, in: 'header', required, description, schema: { type: 'string', ...rest }, example }
  })
}
