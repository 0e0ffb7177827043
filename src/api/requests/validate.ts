import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { didYouMean, type FieldError, invalidBody, nameHints } from '../../domain/errors.ts'
import { suggestNames } from '../../lib/similar-names.ts'

/** The schemas that others refer to, by name. */
export type Schemas = Readonly<Record<string, TSchema>>

/** The check throws a `Problem` with every error of the body. */
export function compileBodyCheck(schema: TSchema, schemas: Schemas): (body: unknown) => void {
  const validate = compileValidator(schema, schemas)
  return (body) => {
    const errors = validate(body)
    if (errors.length > 0) throw invalidBody(errors)
  }
}

/**
 * The validator lists the errors of a value; empty if the value fits the schema. It is compiled for
 * the first value: all of them together would hold up every start.
 */
export function compileValidator(schema: TSchema, schemas: Schemas): (value: unknown) => FieldError[] {
  let validator: Validator | null = null
  return (value) => {
    validator ??= Compile(schemas as Parameters<typeof Compile>[0], schema)
    return validator.Check(value) ? [] : listErrors(validator, schema, value)
  }
}

type SchemaError = ReturnType<Validator['Errors']>[number]

function listErrors(validator: Validator, schema: TSchema, body: unknown): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  for (const error of validator.Errors(body)) {
    for (const described of fieldErrorsOf(error, schema, body)) {
      // Keep the first error per pointer: a union adds one more for each of its branches.
      if (!byPointer.has(described.pointer!)) byPointer.set(described.pointer!, described)
    }
  }
  return byPointer.size > 0 ? [...byPointer.values()] : listUnknownFields(schema, body)
}

/**
 * The validator stops after some errors, and it counts each unknown field before it names them all:
 * a body with many of them has errors that say nothing.
 */
function listUnknownFields(schema: TSchema, body: unknown): FieldError[] {
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  const unknown = Object.keys(body as object).filter((name) => !known.includes(name))
  if (unknown.length === 0) return [{ pointer: '', message: 'has objects with fields that are not taken here' }]
  return unknown.slice(0, MAX_UNKNOWN_FIELDS).map((name) => unknownField('', name.slice(0, MAX_NAME_LENGTH), schema))
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address, as name@example.org',
  'date-time': 'must be an RFC 3339 time, as 2026-05-01T12:00:00Z',
}

/** Of the fields that do not exist, this many are named: a body may hold 30,000 of them. */
const MAX_UNKNOWN_FIELDS = 20
const MAX_NAME_LENGTH = 200

function fieldErrorsOf(
  { keyword, instancePath, params, message }: SchemaError,
  schema: TSchema,
  body: unknown,
): FieldError[] {
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
      return given
        .additionalProperties!.slice(0, MAX_UNKNOWN_FIELDS)
        .map((name) => unknownField(instancePath, name.slice(0, MAX_NAME_LENGTH), schema))
    case 'enum':
      return [unknownValue(instancePath, valueAt(body, instancePath), given.allowedValues!)]
    case 'format':
      return [{ pointer: instancePath, message: FORMATS[given.format!] ?? message }]
    default:
      return [{ pointer: instancePath, message }]
  }
}

function unknownValue(pointer: string, value: unknown, allowed: readonly string[]): FieldError {
  const near = typeof value === 'string' ? suggestNames(value.replace(/[\s-]+/g, '_'), allowed) : []
  return {
    pointer,
    message: `must be one of ${allowed.join(', ')}`,
    allowed,
    ...didYouMean(near),
  }
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

function unknownField(path: string, name: string, schema: TSchema): FieldError {
  const known = path === '' ? Object.keys((schema as { properties?: object }).properties ?? {}) : []
  return { pointer: `${path}/${name}`, message: 'is not a field here', ...nameHints(name, known) }
}
