import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type FieldError, Problem } from '../domain/errors.ts'
import { suggest } from '../domain/suggest.ts'

/** Checks a body against its schema, and says everything that is wrong with it in words. */
export function bodyChecker(schema: TSchema): (body: unknown) => void {
  const validator = Compile(schema)
  return (body) => {
    if (validator.Check(body)) return
    const errors = describe(validator, schema, body)
    throw new Problem(
      'invalid_body',
      `${errors.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`).join('; ')}.`,
      { errors },
    )
  }
}

type SchemaError = ReturnType<Validator['Errors']>[number]

function describe(validator: Validator, schema: TSchema, body: unknown): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  for (const error of validator.Errors(body)) {
    for (const described of inWords(error, schema)) {
      // The first error at a place is the plainest; a union then adds one for each of its branches.
      if (!byPointer.has(described.pointer!)) byPointer.set(described.pointer!, described)
    }
  }
  return [...byPointer.values()]
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address, as name@example.org',
  'date-time': 'must be an RFC 3339 time, as 2026-05-01T12:00:00Z',
}

function inWords({ keyword, instancePath, params, message }: SchemaError, schema: TSchema): FieldError[] {
  const given = params as {
    requiredProperties?: string[]
    additionalProperties?: string[]
    allowedValues?: string[]
    format?: string
  }
  switch (keyword) {
    case 'boolean':
      return []
    case 'required':
      return given.requiredProperties!.map((name) => ({ pointer: `${instancePath}/${name}`, message: 'is missing' }))
    case 'additionalProperties':
      return given.additionalProperties!.map((name) => unknownField(instancePath, name, schema))
    case 'enum':
      return [
        {
          pointer: instancePath,
          message: `must be one of ${given.allowedValues!.join(', ')}`,
          allowed: given.allowedValues!,
        },
      ]
    case 'format':
      return [{ pointer: instancePath, message: FORMATS[given.format!] ?? message }]
    default:
      return [{ pointer: instancePath, message }]
  }
}

function unknownField(path: string, name: string, schema: TSchema): FieldError {
  const known = path === '' ? Object.keys((schema as { properties?: object }).properties ?? {}) : []
  const near = suggest(name, known)
  return {
    pointer: `${path}/${name}`,
    message: 'is not a field here',
    ...(near.length > 0 ? { did_you_mean: near } : { allowed: known }),
  }
}
