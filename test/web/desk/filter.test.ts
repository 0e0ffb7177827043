import assert from 'node:assert/strict'
import { test } from 'node:test'

// The module reads the page's address when it is loaded.
Object.assign(globalThis, { location: { search: '' } })
const { DEFAULT_FILTER, filterInAddress, queueQuery, writeFilter } = await import('../../../web/desk/queue/filter.ts')

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
