import Type from 'typebox'
import { ERRORS, type ErrorCode } from '../../domain/error-codes.ts'
import { Named, OneOf } from './schema.ts'

export const Problem = Named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference', description: 'A link to the explanation of this kind of problem.' }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String({ description: 'What is wrong with this request, and what would be right.' }),
      code: OneOf(Object.keys(ERRORS) as ErrorCode[], 'A stable code for programs.'),
      request_id: Type.String({ description: 'Quote it when you ask for help.' }),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            parameter: Type.Optional(Type.String({ description: 'The query parameter.' })),
            pointer: Type.Optional(Type.String({ description: 'A JSON Pointer into the body (RFC 6901).' })),
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
