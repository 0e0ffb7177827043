import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientTypes } from '../../scripts/client/client-types.ts'
import { type JsonSchema, typeOf } from '../../scripts/client/schema-to-type.ts'

const FILE = join(import.meta.dirname, '../../client/src/generated/types.ts')

test('the types of the client are what the contract gives', () => {
  assert.ok(readFileSync(FILE, 'utf8') === clientTypes(), 'run `npm run generate:client`')
})

const TYPES: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string', description: 'A text.' },
  number: { type: 'integer' },
  'string | null': { anyOf: [{ type: 'string' }, { type: 'null' }] },
  "'one' | 'it\\'s'": { enum: ['one', "it's"] },
  Severity: { enum: ['low', 'medium', 'high', 'critical'] },
  Incident: { $ref: '#/components/schemas/Incident' },
  'readonly (string | null)[]': { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  'readonly [number, number]': { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  'readonly string[]': { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 },
  'Readonly<Record<string, unknown>>': { type: 'object' },
  unknown: { description: 'Anything.' },
  "{\n  /** Given. */\n  a: string\n  'b-c'?: number | undefined\n}": {
    type: 'object',
    properties: { a: { type: 'string', description: 'Given.' }, 'b-c': { type: 'number' } },
    required: ['a'],
  },
}
for (const [type, schema] of Object.entries(TYPES)) {
  test(`${JSON.stringify(schema)} is written as a type`, () => assert.equal(typeOf(schema), type))
}
