import Type from 'typebox'
import { HISTORY_STEPS } from '../../../domain/lifecycle.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { incidentId } from './parameters.ts'

export const FieldChange = Named(
  'FieldChange',
  Type.Object({
    field: Type.String({ description: 'A field of the incident; `desk.…` for one that only the desk sees.' }),
    old: Type.Unknown({ description: 'The value before; null if there was none.' }),
    new: Type.Unknown({ description: 'The value after; null if there is none.' }),
  }),
)

export const Step = Named(
  'Step',
  Type.Object({
    id: Nullable(Type.String({ description: 'Null for steps made before they had ids.' })),
    step: OneOf(HISTORY_STEPS),
    version: Type.Integer({ minimum: 1, description: 'The version that the step produced.' }),
    at: Time('When it happened.'),
    by: Type.Object({
      key_id: Type.String(),
      account_id: Nullable(Type.String({ description: 'Null if the key is no longer known.' })),
      name: Type.String(),
    }),
    note: Nullable(Type.String()),
    fields: Type.Array(Type.String(), { description: 'The fields that an update changed.' }),
    changes: Type.Array(Type.Ref('FieldChange'), { description: 'Every changed field with its old and new value.' }),
    other: Nullable(
      Type.String({
        description: 'The other incident of a merge or its undoing, or of a pair that was dismissed or offered again.',
      }),
    ),
  }),
)

/** How the last decision can be undone. */
export const Undo = Named(
  'Undo',
  Type.Object({
    step: Type.String({ description: 'The step that would be undone: `POST …/{id}/undo {"step": "…"}`.' }),
    undoes: OneOf(HISTORY_STEPS, 'The kind of that step.'),
    move: OneOf(['retract', 'reopen', 'restore', 'unmerge', 'put_back'], 'What undoing it does.'),
    path: Type.String({ description: 'The path to POST `{"step": …}` to.' }),
  }),
)

export const readHistory = endpoint({
  id: 'readHistory',
  method: 'GET',
  path: '/v1/desk/incidents/{id}/history',
  tag: 'Desk',
  summary: "Read an incident's history",
  description:
    'Every step with its author, time, reason, and old and new values, oldest first. An import that changed the incident, and its undoing, are steps; the import that created it is not.',
  scope: 'review',
  pathParameters: incidentId,
  query: {},
  response: { status: 200, description: 'All steps.', schema: Type.Object({ data: Type.Array(Type.Ref('Step')) }) },
  problems: ['invalid_parameter', 'not_found'],
})
