import Type from 'typebox'
import { ERRORS, type ErrorCode } from '../domain/errors.ts'
import { Named, OneOf } from './schema.ts'

export const Problem = Named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference', description: 'Where this kind of problem is explained.' }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String({ description: 'What is wrong this time, and what would be right.' }),
      code: OneOf(Object.keys(ERRORS) as ErrorCode[], 'Stable, for programs.'),
      request_id: Type.String({ description: 'Name it when you ask for help.' }),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            parameter: Type.Optional(Type.String({ description: 'The query parameter.' })),
            pointer: Type.Optional(Type.String({ description: 'The place in the body (RFC 6901).' })),
            message: Type.String(),
            allowed: Type.Optional(Type.Array(Type.String())),
            did_you_mean: Type.Optional(Type.Array(Type.String())),
          }),
        ),
      ),
    },
    { description: 'RFC 9457, as `application/problem+json`.' },
  ),
)
