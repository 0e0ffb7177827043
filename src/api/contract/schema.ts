import Type, { type TObjectOptions, type TProperties, type TSchema, type TStringOptions } from 'typebox'
import Format from 'typebox/format'
import { parseEmailAddress } from '../../domain/email-address.ts'
import { ERRORS, type ErrorCode } from '../../domain/error-codes.ts'
import { limitParameter } from '../../filter/parameters.ts'

export const Text = (description: string, options: TStringOptions = {}) => Type.String({ ...options, description })

export const Flag = (description: string) => Type.Boolean({ description })

export const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Time = (description: string) => Type.String({ format: 'date-time', description })

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const OneOf = <Value extends string>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...(description ? { description } : {}) })

// Ours is stricter where programs for mail disagree, and takes domains in any script.
Format.Set('email', (text) => 'address' in parseEmailAddress(text))

/** Handlers bring it into its canonical form: `canonicalAddress`. */
export const EmailAddress = (description?: string) =>
  Type.String({ format: 'email', maxLength: 254, ...(description ? { description } : {}) })

/** An object with any names, whose values are texts. */
export const TextsByName = (options: { description: string; maxProperties?: number; example?: object }, text = {}) =>
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', ...text }, ...options })

/** Every schema that has a name, for validators: a `Type.Ref` names one. */
export const NAMED_SCHEMAS: Record<string, TSchema> = {}

/** Gives a schema a name in the reference, to which `Type.Ref` refers. */
export function Named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  const named = { ...schema, $id: name }
  NAMED_SCHEMAS[name] = named
  return named
}

/** An object with a name in the reference. */
export function NamedObject<Members extends TProperties>(name: string, members: Members, options: TObjectOptions = {}) {
  return Named(name, Type.Object(members, options))
}

/** An object of a request: members that it does not name are refused. */
export function Closed<Members extends TProperties>(members: Members, options: TObjectOptions = {}) {
  return Type.Object(members, { additionalProperties: false, ...options })
}

export const OptionalText = (options: TStringOptions) => Type.Optional(Type.String(options))

export const NullableText = (description: string) => Nullable(Type.String({ description }))

/**
 * Documents the member as `schema`, but leaves its check to the handler, whose errors say more: a
 * name is suggested, and several spellings are taken.
 */
export const CheckedByHandler = <Schema extends TSchema>(schema: Schema) => Type.Unknown({ documentedAs: schema })

const CURSOR = { description: 'The `next_cursor` of the previous page.', example: 'next_cursor' } as const

/** The parameters of a list that is read page by page; `what` it has, such as `Watches`. */
export function pageParameters(what: string, maximum: number) {
  return { limit: limitParameter(what, maximum), cursor: CURSOR }
}

/** The members of a page besides its `data`. */
export const PAGING = {
  has_more: Type.Boolean(),
  next_cursor: Nullable(Text('Send it as `cursor` to get the next page.')),
}

/** A page of the items with this name. */
export const PageOf = (item: string) => Type.Object({ data: Type.Array(Type.Ref(item)), ...PAGING })

/** A page with a name in the reference. */
export function NamedPage(name: string, item: string) {
  const next_cursor = Nullable(Type.String())
  return NamedObject(name, { data: Type.Array(Type.Ref(item)), has_more: Type.Boolean(), next_cursor })
}

export const Problem = Named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference', description: 'A link to the explanation of this kind of problem.' }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Text('What is wrong with this request, and what would be right.'),
      code: OneOf(Object.keys(ERRORS) as ErrorCode[], 'A stable code for programs.'),
      request_id: Text('Quote it when you ask for help.'),
      resume_after: Type.Optional(
        Text('With `position_lost`: the last position up to which your copy is right; go on from there.'),
      ),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            parameter: Type.Optional(Text('The query parameter.')),
            pointer: Type.Optional(Text('A JSON Pointer into the body (RFC 6901).')),
            message: Type.String(),
            allowed: Type.Optional(Type.Array(Type.String())),
            did_you_mean: Type.Optional(Type.Array(Type.String())),
            candidates: Type.Optional(
              Type.Array(Type.Ref('FoundPlace'), {
                description:
                  'The places that a name may mean, best first: choose one, and give its state, LGA or point.',
              }),
            ),
          }),
        ),
      ),
    },
    { description: 'A problem as in RFC 9457, sent as `application/problem+json`.' },
  ),
)
