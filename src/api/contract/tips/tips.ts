import Type from 'typebox'
import { TYPE_NAMES } from '../../../domain/taxonomy.ts'
import {
  MAX_ADDITIONS,
  MAX_CONTACT_LENGTH,
  MAX_PLACE_LENGTH,
  MAX_SOLUTION,
  MAX_TIP_LENGTH,
  MIN_TIP_LENGTH,
  PUZZLES,
} from '../../../domain/tips.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const PROOF =
  `The proof of work: for each puzzle from 0 to ${PUZZLES - 1}, a whole number for which the SHA-256 of the text ` +
  '`<seed>.<puzzle>.<number>` begins with `bits` zero bits.'

const name = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: MAX_PLACE_LENGTH, description })))

const sentence = { minLength: MIN_TIP_LENGTH, maxLength: MAX_TIP_LENGTH }

const contact = Type.Optional(
  Nullable(
    Type.String({
      maxLength: MAX_CONTACT_LENGTH,
      description: 'How editors can reach you. Only they see it; it is encrypted, and deleted after some days.',
    }),
  ),
)

export const TipProof = Named(
  'TipProof',
  Type.Object(
    {
      challenge: Type.String({
        maxLength: 100,
        description: 'The `challenge` of `GET /v1/tips/challenge`, unchanged.',
      }),
      solutions: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_SOLUTION - 1 }), {
        minItems: PUZZLES,
        maxItems: PUZZLES,
      }),
    },
    { additionalProperties: false, description: PROOF },
  ),
)

export const TipChallenge = Named(
  'TipChallenge',
  Type.Object({
    challenge: Type.String(),
    seed: Type.String(),
    bits: Type.Integer({ minimum: 1 }),
    puzzles: Type.Integer({ minimum: 1 }),
    expires_at: Time('Until when it can be answered.'),
  }),
)

export const readTipChallenge = endpoint({
  id: 'readTipChallenge',
  method: 'GET',
  path: '/v1/tips/challenge',
  tag: 'Tips',
  summary: 'Get a challenge for a tip',
  description: `A challenge is good for one tip or addition. ${PROOF} An ordinary phone finds them in a second or two.`,
  scope: null,
  query: {},
  response: { status: 200, description: 'A challenge.', schema: Type.Ref('TipChallenge') },
  problems: ['invalid_parameter'],
})

const example = {
  challenge: 'mh1q2w3e.14.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
  solutions: [8021, 113, 40411, 9003, 26, 17755, 5120, 661],
}

export const createTip = endpoint({
  id: 'createTip',
  method: 'POST',
  path: '/v1/tips',
  sample: null,
  tag: 'Tips',
  summary: 'Send a tip to the desk',
  description:
    'For anybody: no key is needed, and the address of the client is not stored. A tip becomes a report in the queue of the desk (`origin: tip`); nothing of it is public unless an editor confirms it. ' +
    'The place is given by `lat` and `lng`, or by names; a name that could mean several places is refused with choices in `did_you_mean`, and one that is not known is kept as written if the state is given. ' +
    'Without `type` it is read from the text. The same request with the same challenge gets the same answer. Limited by address and overall. People use the page `/report`.',
  scope: null,
  neverReplayed: true,
  body: Type.Object(
    {
      text: Type.String({ ...sentence, description: 'What happened.' }),
      type: Type.Optional(Nullable(OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'))),
      occurred_at: Type.String({ maxLength: 40, description: 'When it happened: an RFC 3339 time or a date.' }),
      place: name('A settlement, a road or a description, such as `near Dansadau, Maru`.'),
      state: name('A name, ISO code or known alias.'),
      lga: name('A name, code or known alias.'),
      lat: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90, description: 'Rounded to three digits.' }))),
      lng: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
      contact,
      proof: Type.Ref('TipProof'),
    },
    {
      additionalProperties: false,
      example: {
        text: 'Armed men stopped two buses and took people into the bush.',
        occurred_at: '2026-05-01T06:30:00+01:00',
        place: 'Dansadau',
        state: 'Zamfara',
        proof: example,
      },
    },
  ),
  response: {
    status: 201,
    description: 'The tip is with the desk.',
    schema: Type.Object({
      reference: Type.String({ description: 'Needed to add something later. It is shown only here.' }),
      reference_days: Type.Integer({ minimum: 1, description: 'The days for which it is known.' }),
    }),
  },
  problems: ['invalid_body', 'challenge_used', 'rate_limited'],
})

export const addToTip = endpoint({
  id: 'addToTip',
  method: 'POST',
  path: '/v1/tips/additions',
  sample: null,
  tag: 'Tips',
  summary: 'Add something to a tip',
  description: `The desk sees the addition beside the tip. At most ${MAX_ADDITIONS} for each tip. The same request with the same challenge is carried out once.`,
  scope: null,
  neverReplayed: true,
  body: Type.Object(
    {
      reference: Type.String({ maxLength: 40, description: 'The reference number of the tip.' }),
      text: Type.String({ ...sentence, description: 'What is new.' }),
      contact,
      proof: Type.Ref('TipProof'),
    },
    {
      additionalProperties: false,
      example: { reference: '4F7K-9XQ2-M3TB-0ZHC', text: 'All passengers of the first bus are free.', proof: example },
    },
  ),
  response: { status: 204, description: 'The addition is with the desk.', schema: null },
  problems: ['invalid_body', 'challenge_used', 'not_found', 'too_many_additions', 'rate_limited'],
})
