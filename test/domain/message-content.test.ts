import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { Status } from '../../src/domain/incident.ts'
import { combineMessages, type MessageContent, messageContent, retractionOf } from '../../src/domain/message-content.ts'
import type { WatchEvent } from '../../src/domain/watch.ts'
import { anIncident } from '../support/incident.ts'

const cases: { event: WatchEvent; status: Status | null; content: MessageContent | null }[] = [
  { event: 'incident.created', status: 'confirmed', content: 'incident' },
  { event: 'incident.created', status: 'retracted', content: null },
  { event: 'incident.created', status: null, content: null },
  { event: 'incident.updated', status: 'confirmed', content: 'incident' },
  { event: 'incident.updated', status: 'retracted', content: null },
  { event: 'incident.updated', status: 'merged', content: null },
  { event: 'incident.retracted', status: 'retracted', content: 'retraction' },
  { event: 'incident.retracted', status: 'confirmed', content: null },
  { event: 'incident.retracted', status: null, content: null },
]

for (const { event, status, content } of cases) {
  test(`${event} of ${status === null ? 'a removed' : `a ${status}`} incident carries ${content ?? 'nothing'}`, () => {
    assert.equal(messageContent(event, status), content)
  })
}

test('a retraction names the incident and repeats nothing else of it', () => {
  const { id, type, severity, state, lga, ...rest } = anIncident(1, { status: 'retracted', version: 3 })
  assert.ok(rest.summary.length > 0)
  const retraction = retractionOf({ id, type, severity, state, lga, ...rest })
  assert.deepEqual(retraction, { id, type, severity, state, lga, status: 'retracted', version: 3 })
})

type Short = 'created' | 'updated' | 'retracted'

/**
 * `1 created` is of incident 1; `untrue` says nothing true any more; `tried` may have arrived;
 * `first` is a correction by which the incident came into the filter; `@b` is of watch b, `too` of
 * the event before.
 */
function combined(...texts: readonly string[]) {
  const parts = texts.map((text, index) => {
    const [incidentId, kind, ...marks] = text.split(' ') as [string, Short, ...string[]]
    return {
      text,
      incidentId,
      delivery: {
        kind: `incident.${kind}` as WatchEvent,
        eventSeq: marks.includes('too') ? index : index + 1,
        watchId: marks.find((mark) => mark.startsWith('@')) ?? '@a',
      },
      isFirst: marks.includes('first'),
      mayHaveArrived: marks.includes('tried'),
      document: marks.includes('untrue') ? null : '{}',
    }
  })
  const { told, covered, cancelled } = combineMessages(parts.toReversed())
  const textsOf = (each: readonly { text: string }[]) => each.map(({ text }) => text)
  return { told: textsOf(told), covered: textsOf(covered), cancelled: textsOf(cancelled) }
}

describe('what one message says for several deliveries', () => {
  it('tells each incident once, in the order of the watch', () => {
    assert.deepEqual(combined('1 created', '2 created', '3 updated'), {
      told: ['1 created', '2 created', '3 updated'],
      covered: [],
      cancelled: [],
    })
  })

  it('tells a new incident with its corrections as new, and the last of several corrections', () => {
    assert.deepEqual(combined('1 created', '2 updated', '1 updated', '2 updated'), {
      told: ['1 created', '2 updated'],
      covered: ['1 updated', '2 updated'],
      cancelled: [],
    })
  })

  it('does not tell what was retracted before anybody was told', () => {
    assert.deepEqual(combined('1 created untrue', '2 created', '1 updated untrue', '1 retracted'), {
      told: ['2 created'],
      covered: [],
      cancelled: ['1 created untrue', '1 updated untrue', '1 retracted'],
    })
  })

  it('does not tell what came into the filter by a correction and was retracted', () => {
    assert.deepEqual(combined('1 updated first untrue', '1 retracted', '2 updated untrue', '2 retracted'), {
      told: ['2 retracted'],
      covered: [],
      cancelled: ['1 updated first untrue', '1 retracted', '2 updated untrue'],
    })
    assert.deepEqual(combined('1 updated first tried untrue', '1 retracted').told, ['1 retracted'])
    assert.deepEqual(combined('1 updated first untrue', '1 updated tried untrue', '1 retracted').told, ['1 retracted'])
  })

  it('tells of the retraction of what was told, or may have been', () => {
    assert.deepEqual(combined('1 updated untrue', '1 retracted', '2 created tried untrue', '2 retracted'), {
      told: ['1 retracted', '2 retracted'],
      covered: [],
      cancelled: ['1 updated untrue', '2 created tried untrue'],
    })
  })

  it('tells once what several watches match, by the first of them', () => {
    assert.deepEqual(combined('1 created @b', '1 created @a too', '2 updated @b', '2 updated @a too'), {
      told: ['1 created @a too', '2 updated @a too'],
      covered: ['1 created @b', '2 updated @b'],
      cancelled: [],
    })
  })

  it('tells of a retraction if one of the watches told of the incident', () => {
    assert.deepEqual(combined('1 created @a untrue', '1 retracted @a', '1 retracted @b too'), {
      told: ['1 retracted @b too'],
      covered: ['1 retracted @a'],
      cancelled: ['1 created @a untrue'],
    })
  })

  it('tells nothing if nothing is true any more', () => {
    assert.deepEqual(combined('1 created untrue'), { told: [], covered: [], cancelled: ['1 created untrue'] })
    assert.deepEqual(combined(), { told: [], covered: [], cancelled: [] })
  })

  it('tells as new what was retracted and restored meanwhile', () => {
    assert.deepEqual(combined('1 created', '1 retracted untrue', '1 updated'), {
      told: ['1 created'],
      covered: ['1 updated'],
      cancelled: ['1 retracted untrue'],
    })
  })
})
