import { Counter, Gauge, type Registry } from 'prom-client'
import { SOURCE_STATUSES, statusOf } from '../../domain/sources/news-source.ts'
import { type Environment, type Phase, servicesIfReady } from '../services.ts'

/** By result, state and status only: a label for each source would grow with them. */
export function sourceMetrics(registers: Registry[], environment: Environment, currentPhase: () => Phase): void {
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
      const services = servicesIfReady(currentPhase())
      if (services === null) return
      // A scrape must not fail while the database cannot be reached: an unknown number is NaN.
      const states = await services.store.sources.pollStates().catch(() => null)
      for (const status of SOURCE_STATUSES)
        this.set({ status }, states?.filter((state) => statusOf(state) === status).length ?? Number.NaN)
    },
  })
}
