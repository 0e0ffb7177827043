import type { ReportBody } from '../../src/domain/report.ts'

/** Returns a valid report with the given changes. */
export function aReport(changes: Record<string, unknown> = {}): ReportBody & Record<string, unknown> {
  return {
    type: 'kidnapping',
    occurred_at: '2026-05-01T06:30:00Z',
    time_precision: 'hour',
    state: 'Zamfara',
    place: 'Gusau',
    summary: 'Gunmen abducted eleven people on the road out of Gusau.',
    sources: [{ url: 'https://example.org/story-1', publisher: 'Example Daily' }],
    casualties: { abducted: 11 },
    ...changes,
  }
}
