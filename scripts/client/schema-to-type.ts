import { ERRORS } from '../../src/domain/error-codes.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { INCIDENT_FIELDS } from '../../src/filter/listing.ts'

/** The parts of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
}

/** Lists that many schemas repeat: each is written by its name. */
export const NAMED_LISTS: Readonly<
  Record<string, { readonly values: readonly string[]; readonly description: string }>
> = {
  IncidentType: { values: TYPE_NAMES, description: 'What can happen; `feed.taxonomy()` describes each.' },
  IncidentCategory: { values: CATEGORY_NAMES, description: 'The categories of types.' },
  Severity: { values: SEVERITIES, description: 'From least to worst.' },
  IncidentField: { values: INCIDENT_FIELDS, description: 'The members of an incident that `fields` may name.' },
  ErrorCode: { values: Object.keys(ERRORS), description: 'The codes of the problems that the service answers with.' },
}

/** Writes a schema as a TypeScript type; `indent` is that of the line on which it begins. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return enumOf(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return unique(choices.map((each) => typeOf(each, indent))).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((each) => inBrackets(typeOf(each, indent))).join(' & ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length === 0 ? 'unknown' : unique(types.map((type) => namedType(type, schema, indent))).join(' | ')
}

/** Writes the members of an object, one to a line, each after its description. */
export function membersOf(schema: JsonSchema, indent: string): string {
  const required = new Set(schema.required ?? [])
  const others = schema.additionalProperties === true ? `${indent}  readonly [name: string]: unknown\n` : ''
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const type = typeOf(member, `${indent}  `)
    const mark = required.has(name) ? `: ${type}` : `?: ${type} | undefined`
    return `${comment(member.description, `${indent}  `)}${indent}  ${propertyName(name)}${mark}\n`
  })
  return members.join('') + others
}

/** A doc comment, or nothing without a description. */
export function comment(description: string | undefined, indent: string): string {
  if (description === undefined) return ''
  return `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n`
}

function enumOf(values: readonly unknown[]): string {
  const named = Object.entries(NAMED_LISTS).find(([, list]) => list.values.join() === values.join())
  return named ? named[0] : values.map(literal).join(' | ')
}

function namedType(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return arrayOf(schema, indent)
  if (type === 'object') return objectOf(schema, indent)
  return type
}

function arrayOf({ items = {}, minItems, maxItems }: JsonSchema, indent: string): string {
  const item = typeOf(items, indent)
  // Positions and boxes: as many numbers as the contract says.
  if (minItems !== undefined && minItems === maxItems && minItems <= 4)
    return `readonly [${Array(minItems).fill(item).join(', ')}]`
  return `readonly ${inBrackets(item)}[]`
}

function objectOf(schema: JsonSchema, indent: string): string {
  if (schema.properties && Object.keys(schema.properties).length > 0) return `{\n${membersOf(schema, indent)}${indent}}`
  const { additionalProperties: values } = schema
  return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values, indent) : 'unknown'}>>`
}

function inBrackets(type: string): string {
  let outside = type
  while (/\{[^{}]*\}/.test(outside)) outside = outside.replaceAll(/\{[^{}]*\}/g, '')
  return type.startsWith('readonly ') || /[|&]/.test(outside) ? `(${type})` : type
}

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function unique(types: readonly string[]): string[] {
  return [...new Set(types)]
}
