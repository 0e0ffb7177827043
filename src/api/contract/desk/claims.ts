import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Named, Time } from '../schema.ts'
import { move, movedResponse, refusals } from './parameters.ts'

export const Claim = Named(
  'Claim',
  Type.Object({
    by: Type.Object({ account_id: Type.String(), name: Type.String() }),
    until: Time('When the claim lapses.'),
  }),
)

export const claimIncident = endpoint({
  ...move,
  id: 'claimIncident',
  path: '/v1/desk/incidents/{id}/claim',
  summary: 'Claim an incident',
  description:
    'Tells the others that you work on it. For 15 minutes nobody else can decide on it or correct it; claim it again to prolong that. A decision ends the claim. ' +
    'If another editor has claimed it, the answer is 409 with who and until when; `{"take_over": true}` takes the claim, which the history records.',
  body: Type.Object({ take_over: Type.Optional(Type.Boolean()) }, { additionalProperties: false, example: {} }),
  bodyCheck: 'where given',
  response: movedResponse,
  problems: refusals,
})

export const releaseIncident = endpoint({
  ...move,
  id: 'releaseIncident',
  path: '/v1/desk/incidents/{id}/release',
  summary: 'Release a claim',
  description:
    'Ends your claim. Without a claim, or after it has lapsed, nothing happens. The claim of another stays: 409.',
  response: movedResponse,
  problems: ['not_found', 'claimed_by_another'],
})

export const addNote = endpoint({
  ...move,
  id: 'addNote',
  path: '/v1/desk/incidents/{id}/notes',
  summary: 'Add a note',
  description: 'Keeps a note in the history of an incident in any status. It changes nothing and is not published.',
  body: Type.Object(
    { note: Type.String({ minLength: 1, maxLength: 1000 }) },
    { additionalProperties: false, example: { note: 'Called the hospital; no answer yet.' } },
  ),
  response: { ...movedResponse, status: 201 },
  problems: ['invalid_body', 'not_found'],
})
