import { Gauge, type Registry } from 'prom-client'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { StoreReadings } from '../monitoring/store-readings.ts'
import type { Environment } from '../services.ts'

/** The reports that wait for an editor. */
export function deskMetrics(registers: Registry[], { clock }: Environment, readings: StoreReadings): void {
  new Gauge({
    name: 'incident_feed_desk_reports_waiting',
    help: 'Reports that wait for a decision, by severity.',
    labelNames: ['severity'],
    registers,
    async collect() {
      const queue = await readings.deskQueue()
      for (const severity of SEVERITIES) this.set({ severity }, queue?.waiting[severity] ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'incident_feed_desk_oldest_report_seconds',
    help: 'Time since the oldest report that waits for a decision arrived; 0 if none waits.',
    registers,
    async collect() {
      const queue = await readings.deskQueue()
      if (queue === null) return this.set(Number.NaN)
      const { oldestReportedAt } = queue
      this.set(oldestReportedAt === null ? 0 : Math.max(0, clock() - oldestReportedAt) / 1000)
    },
  })
}
