import Type, { type TSchema } from 'typebox'

export const Time = (description: string) => Type.String({ format: 'date-time', description })

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const OneOf = <Value extends string>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...(description ? { description } : {}) })

/** An object with any names, whose values are texts. */
export const TextsByName = (options: { description: string; maxProperties?: number; example?: object }, text = {}) =>
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', ...text }, ...options })

export const Named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({ ...schema, $id: name })

/**
 * Documents the member as `schema`, but leaves its check to the handler, whose errors say more: a
 * name is suggested, and several spellings are taken.
 */
export const CheckedByHandler = <Schema extends TSchema>(schema: Schema) => Type.Unknown({ documentedAs: schema })
