import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HTTPMethods } from 'fastify'
import { openApi } from '../../src/api/contract/openapi.ts'
import { ENDPOINTS } from '../../src/api/contract/reference.ts'
import { WATCH_EVENTS } from '../../src/domain/watch.ts'
import type { Parameter } from '../../src/filter/parameters.ts'
import { startTestApp } from '../support/app.ts'
import { openApiValidator } from '../support/openapi-validator.ts'

describe('document', () => {
  interface Operation {
    readonly operationId: string
    readonly parameters: readonly { name: string; in: string; required: boolean; schema: object; example?: unknown }[]
    readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> }
    readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: object }>> }>>
  }

  const document = openApi('1.2.3', 'https://feed.example') as {
    info: { contact: { url: string } }
    paths: Record<string, Record<string, Operation>>
    webhooks: Record<string, { post: Operation }>
  }
  const validate = openApiValidator(document)

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      operation,
    })),
  )
  const named = (id: string) => operations.find(({ operation }) => operation.operationId === id)!.operation

  test('a query parameter whose example is a number is declared as a number', () => {
    for (const { id, query = {} } of ENDPOINTS) {
      for (const [name, { example, number }] of Object.entries<Parameter>(query)) {
        if (!Number.isNaN(Number(example))) assert.ok(number, `${id}: ${name}`)
      }
    }
    const byName = new Map(named('listIncidents').parameters.map((one) => [one.name, one.schema]))
    assert.deepEqual(byName.get('limit'), { type: 'integer', minimum: 1, maximum: 1000 })
    assert.deepEqual(byName.get('min_confidence'), { type: 'number', minimum: 0, maximum: 1 })
  })

  test('the zoom, column and row of a tile are whole numbers', () => {
    const inPath = named('readTile').parameters.filter((one) => one.in === 'path')
    assert.deepEqual(
      inPath.map(({ name, schema }) => [name, (schema as { type: string }).type]),
      [
        ['z', 'integer'],
        ['x', 'integer'],
        ['y', 'integer'],
      ],
    )
  })

  test('every example of a parameter and of a body fits its schema', () => {
    for (const { name, operation } of operations) {
      for (const { schema, example, ...parameter } of operation.parameters) {
        if (example !== undefined) assert.deepEqual(validate(schema, example), [], `${name}: ${parameter.name}`)
      }
    }
    for (const { id, body } of ENDPOINTS) {
      const { example } = (body ?? {}) as { example?: unknown }
      if (example === undefined) continue
      assert.deepEqual(validate(named(id).requestBody!.content['application/json']!.schema, example), [], id)
    }
  })

  test('304 is the answer to If-None-Match, and no answer to a POST', () => {
    for (const { name, method, operation } of operations) {
      const takesEtag = operation.parameters.some((one) => one.name === 'If-None-Match')
      assert.equal('304' in operation.responses, takesEtag, name)
      if (method !== 'get') assert.ok(!takesEtag, name)
    }
  })

  test('a correction requires If-Match; other steps may send it', () => {
    const ifMatch = (id: string) => named(id).parameters.find((one) => one.name === 'If-Match')?.required
    assert.equal(ifMatch('changeDesk'), true)
    assert.equal(ifMatch('confirmIncident'), false)
    assert.equal(ifMatch('readIncident'), undefined)
  })

  test('the POSTs that write, and no others, take an Idempotency-Key', () => {
    for (const { id, method, readsOnly, neverReplayed } of ENDPOINTS) {
      const takesKey = named(id).parameters.some((one) => one.name === 'Idempotency-Key')
      assert.equal(takesKey, method === 'POST' && !readsOnly && !neverReplayed, id)
    }
  })

  test('each success has one schema for each media type, or no body', () => {
    for (const { name, operation } of operations) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue
        if (status === '204') assert.equal(content, undefined, name)
        for (const { schema } of Object.values(content ?? {})) assert.ok(schema, `${name} ${status}`)
      }
    }
  })

  test('the ids of operations are unique and read as names of functions', () => {
    const ids = [
      ...operations.map(({ operation }) => operation.operationId),
      ...Object.values(document.webhooks).map(({ post }) => post.operationId),
    ]
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[a-z]+([A-Z][a-z]*)*$/)
  })

  test("a watch's filter is one schema, in requests and in answers", () => {
    const reference = { $ref: '#/components/schemas/WatchFilter' }
    for (const id of ['createWatch', 'changeWatch', 'previewWatch']) {
      const { schema } = named(id).requestBody!.content['application/json']!
      assert.deepEqual((schema as { properties: { filter: object } }).properties.filter, reference, id)
    }
    const given = {
      state: ['Kaduna'],
      min_confidence: 0.8,
      near: [10.5, 7.4],
      radius_km: 5,
      type: 'kidnapping,banditry',
    }
    assert.deepEqual(validate(reference, given), [])
    assert.notDeepEqual(validate(reference, { min_confidence: '0.8' }), [])
    assert.notDeepEqual(validate(reference, { since: '24h' }), [])
    assert.notDeepEqual(validate(reference, { polygon: { type: 'Point', coordinates: [7, 10] } }), [])
  })

  test('the webhooks are the events of watches', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...WATCH_EVENTS])
  })

  test('the contact is a page of this service', () => {
    assert.equal(document.info.contact.url, 'https://feed.example/about')
  })
})

describe('registered', () => {
  test('every endpoint of the contract has a handler', async () => {
    await using app = await startTestApp()
    const missing = ENDPOINTS.filter(({ method, path }) => {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      return !app.app.server.hasRoute({ method: method as HTTPMethods, url })
    })
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    )
  })
})
