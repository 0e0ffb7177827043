import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/**
 * Validates values as an independent reader of an OpenAPI document does; returns the complaints.
 */
export function openApiValidator(document: object): (schema: object, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>()
  return (schema, value) => {
    let check = compiled.get(schema)
    if (check === undefined) {
      check = ajv.compile(withDocument(schema) as object)
      compiled.set(schema, check)
    }
    return check(value) ? [] : check.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

/** Makes references within the document absolute, so that each schema can be compiled alone. */
function withDocument(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withDocument)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) =>
      name === '$ref' ? [name, `document${value}`] : [name, withDocument(value)],
    ),
  )
}
