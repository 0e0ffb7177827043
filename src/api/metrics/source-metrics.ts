import { Counter, Gauge, type Registry } from 'prom-client'
import { ITEM_STATE_NAMES, POLL_PROBLEM_CODES, SOURCE_STATUSES } from '../../domain/sources.ts'
import type { StoreReadings } from '../monitoring/store-readings.ts'
import type { Environment } from '../services.ts'

/** By result, state and status only: a label for each source would grow with them. */
export function sourceMetrics(registers: Registry[], environment: Environment, readings: StoreReadings): void {
  const polls = new Counter({
    name: 'incident_feed_source_polls_total',
    help: 'Polls of news sources by this process: read, unchanged, or the code of the problem.',
    labelNames: ['result'],
    registers,
  })
  const items = new Counter({
    name: 'incident_feed_source_items_total',
    help: 'Items of news sources that this process has saved, by what became of them.',
    labelNames: ['state'],
    registers,
  })
  // From 0: a rate cannot see the step from nothing to the first.
  for (const result of ['read', 'unchanged', ...POLL_PROBLEM_CODES]) polls.inc({ result }, 0)
  for (const state of ITEM_STATE_NAMES) items.inc({ state }, 0)
  environment.pollListeners.add(({ result, items: states }) => {
    polls.inc({ result })
    for (const state of states) items.inc({ state })
  })
  new Gauge({
    name: 'incident_feed_sources',
    help: 'News sources by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      const counts = await readings.sources()
      for (const status of SOURCE_STATUSES) this.set({ status }, counts?.[status] ?? Number.NaN)
    },
  })
}
