import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  compareFor,
  DEFAULT_FILTER,
  filterInAddress,
  matchesFilter,
  type QueueFilter,
  queueQuery,
  withRow,
  writeFilter,
} from '../../../web/desk/queue-filter.ts'
import { SHORTCUTS, shortcutFor } from '../../../web/desk/shortcuts.ts'
import { anchorIn, scrollAfter, visibleRange } from '../../../web/desk/virtual-rows.ts'
import { aDeskIncident } from './a-desk-incident.ts'

const OPEN: QueueFilter = { status: 'reported', origin: null, claimed: null, words: '', order: 'newest' }
const minute = (number: number) => `2026-05-01T10:${String(number).padStart(2, '0')}:00Z`

describe('the order of the queue', () => {
  const rows = [3, 2, 1].map((number) => aDeskIncident(number, { reported_at: minute(number) }))

  it('puts a new report at its place, once', () => {
    const compare = compareFor(OPEN)
    const between = aDeskIncident(9, { reported_at: '2026-05-01T10:02:30Z' })
    const ids = withRow(withRow(rows, between, compare), between, compare).map(({ id }) => id)
    assert.deepEqual(ids, [rows[0]!.id, between.id, rows[1]!.id, rows[2]!.id])
  })

  it('has the worst first, and of equals the newest', () => {
    const compare = compareFor({ ...OPEN, order: 'severity' })
    const [low, critical, later] = [
      aDeskIncident(1, { severity: 'low', reported_at: minute(9) }),
      aDeskIncident(2, { severity: 'critical', reported_at: minute(1) }),
      aDeskIncident(3, { severity: 'critical', reported_at: minute(2) }),
    ]
    assert.deepEqual([low, critical, later].toSorted(compare), [later, critical, low])
  })
})

describe('whether a changed incident belongs to the list', () => {
  const now = Date.parse('2026-05-01T12:00:00Z')
  const claim = { by: { account_id: 'acc_amina', name: 'Amina' }, until: '2026-05-01T12:05:00Z' }
  const report = aDeskIncident(1, { summary: 'Gunmen attack Ọ̀yọ́ road' }, { claim, origin: 'tip' })
  const cases: [string, Partial<QueueFilter>, boolean][] = [
    ['its status', {}, true],
    ['another status', { status: 'rejected' }, false],
    ['another origin', { origin: 'api' }, false],
    ['claimed by me', { claimed: 'me' }, true],
    ['claimed by nobody', { claimed: 'none' }, false],
    ['the beginnings of its words, without accents', { words: 'oyo gun' }, true],
    ['a word that it lacks', { words: 'gunmen lagosian' }, false],
  ]
  for (const [name, changes, expected] of cases) {
    it(`${name}: ${expected}`, () => {
      assert.equal(matchesFilter(report, { ...OPEN, ...changes }, 'acc_amina', now), expected)
    })
  }

  it('a claim that has lapsed counts for nobody', () => {
    assert.ok(matchesFilter(report, { ...OPEN, claimed: 'none' }, 'acc_amina', now + 600_000))
  })
})

describe('virtual rows', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: `inc_${index}` }))

  it('draws a screen and a margin, wherever one scrolls to', () => {
    for (const top of [0, 5000, 719_000]) {
      const { first, last } = visibleRange(top, 800, 72, rows.length)
      assert.ok(first * 72 <= top && last <= rows.length)
      assert.ok(last - first <= 12 + 2 * 6 + 1, `${last - first} rows`)
    }
  })

  it('keeps the current row where it stands when others arrive above', () => {
    const anchors = anchorIn(rows, 'inc_12', 720, 800, 72)
    assert.equal(anchors[0]!.id, 'inc_12')
    const more = [{ id: 'inc_new' }, ...rows]
    assert.equal(scrollAfter(anchors, 720, { top: 720, maxTop: 9000 }, more, 72), 720 + 72)
  })

  it('lets the rows below move up when the current one is decided', () => {
    const anchors = anchorIn(rows, 'inc_12', 720, 800, 72)
    const left = rows.filter(({ id }) => id !== 'inc_12')
    assert.equal(scrollAfter(anchors, 720, { top: 720, maxTop: 9000 }, left, 72), 720)
  })

  it('keeps what the reader has scrolled since, but not what the browser cut off', () => {
    const anchors = anchorIn(rows, 'inc_12', 720, 800, 72)
    const more = [{ id: 'inc_new' }, ...rows]
    assert.equal(scrollAfter(anchors, 720, { top: 2000, maxTop: 9000 }, more, 72), 2000 + 72)
    const fewer = rows.slice(5, 22)
    assert.equal(scrollAfter(anchors, 720, { top: 424, maxTop: 424 }, fewer, 72), 720 - 5 * 72)
  })
})

test('every member of the filter is asked of the service', () => {
  const filter = { status: 'rejected', origin: 'tip', claimed: 'me', words: ' gusau ', order: 'severity' } as const
  assert.deepEqual(Object.fromEntries(queueQuery(filter, 50, 'next')), {
    ...{ status: 'rejected', limit: '50', order: 'severity', origin: 'tip', claimed_by: 'me', q: 'gusau' },
    cursor: 'next',
  })
})

test('the address has what differs from the default, and gives the same filter back', () => {
  const address = new URLSearchParams('order=oldest&q=old')
  writeFilter(DEFAULT_FILTER, address)
  assert.equal(address.toString(), '')
  const filter = { ...DEFAULT_FILTER, order: 'severity', claimed: 'none', words: 'gusau' } as const
  writeFilter(filter, address)
  assert.deepEqual(filterInAddress(address), filter)
  assert.deepEqual(filterInAddress(new URLSearchParams('order=worst&status=x')), DEFAULT_FILTER)
})

const press = (key: string, changes: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...changes,
})

test('every shortcut has a key of its own', () => {
  const keys = Object.values(SHORTCUTS).map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)
})

test('a key with a modifier belongs to the browser', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    for (const { key } of Object.values(SHORTCUTS)) assert.equal(shortcutFor(press(key, { [modifier]: true })), null)
  assert.equal(shortcutFor(press('C', { shiftKey: true })), null)
  assert.equal(shortcutFor(press('?', { shiftKey: true })), 'help')
})

test('a key that is held down decides once, and moves on as long as it is held', () => {
  assert.equal(shortcutFor(press('c')), 'confirm')
  assert.equal(shortcutFor(press('c', { repeat: true })), null)
  assert.equal(shortcutFor(press('j', { repeat: true })), 'next')
})
