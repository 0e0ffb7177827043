import Type, { type TSchema } from 'typebox'

export const Time = (description: string) => Type.String({ format: 'date-time', description })

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const OneOf = <Value extends string>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...(description ? { description } : {}) })

export const Named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({ ...schema, $id: name })
