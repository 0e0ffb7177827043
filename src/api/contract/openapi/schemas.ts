import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

export function contentOf(schema: TSchema, type = 'application/json'): Json {
  return { [type]: { schema: withReferences(schema) } }
}

/**
 * Writes the named schemas as references to the components, and each schema as it is documented.
 */
export function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, $ref, documentedAs } = schema as { $id?: string; $ref?: string; documentedAs?: unknown }
  if (documentedAs !== undefined) return withReferences(documentedAs)
  if ($id !== undefined) return { $ref: `#/components/schemas/${$id}` }
  const inner = withReferencesInside(schema)
  return $ref === undefined ? inner : { ...inner, $ref: `#/components/schemas/${$ref}` }
}

/** Writes a named schema out, for the components themselves. */
export function withReferencesInside(schema: object): Json {
  const entries = Object.entries(schema).filter(([name]) => name !== '$id')
  return Object.fromEntries(entries.map(([name, value]) => [name, withReferences(value)]))
}
