import type { TSchema } from 'typebox'
import { SCHEMAS } from '../../contract/schemas.ts'

type ObjectSchema = { type: 'object' } & Record<string, unknown>

/** Writes a schema with all that it refers to in `$defs`: a tool is understood by itself. */
export function wholeSchema(schema: TSchema): ObjectSchema {
  const definitions: Record<string, unknown> = {}
  const localise = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localise)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return refer(value.$ref as string)
    const entries = Object.entries(value).filter(([name]) => name !== '$id' && name !== 'example')
    return Object.fromEntries(entries.map(([name, inner]) => [name, localise(inner)]))
  }
  const refer = (name: string) => {
    // Set before it is written, so that a schema may refer to itself.
    if (!(name in definitions)) {
      definitions[name] = true
      definitions[name] = localise(SCHEMAS[name])
    }
    return { $ref: `#/$defs/${name}` }
  }
  const whole = localise(schema) as ObjectSchema
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions }
}
