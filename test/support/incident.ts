import type { Incident } from '../../src/domain/incident.ts'
import type { ReportBody } from '../../src/domain/report.ts'
import { categoryOf } from '../../src/domain/taxonomy.ts'

const START = Date.UTC(2026, 0, 1)

/** Returns a public incident that is determined by the number, with the given changes. */
export function anIncident(number = 1, changes: Partial<Incident> = {}): Incident {
  const publishedAt = changes.published_at ?? new Date(START + number * 60_000).toISOString()
  const type = changes.type ?? 'kidnapping'
  return {
    id: incidentId(number),
    type,
    category: categoryOf(type),
    severity: 'high',
    state: 'Kaduna',
    lga: 'Chikun',
    lat: 10.4512,
    lng: 7.3391,
    location: {
      place: 'Gonin Gora',
      precision: 'settlement',
      radius_km: 3,
      state_code: 'NG-KD',
      lga_code: 'NG-KD-CHIKUN',
      lga_basis: 'reported',
    },
    confidence: 0.82,
    confidence_reasons: [{ reason: 'independent_sources', value: 3, weight: 0.31 }],
    summary: 'Gunmen abducted eleven people near Gonin Gora.',
    sources: [{ url: 'https://example.org/1', publisher: 'Example Daily', published_at: publishedAt }],
    casualties: { killed: null, injured: 2, abducted: 11 },
    occurred_at: publishedAt,
    time_precision: 'hour',
    reported_at: publishedAt,
    confirmed_at: publishedAt,
    published_at: publishedAt,
    updated_at: publishedAt,
    status: 'confirmed',
    version: 1,
    ...changes,
  }
}

export function incidentId(number: number): string {
  return `inc_${number.toString().padStart(26, '0')}`
}

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

/** Texts that have broken a format before. */
const AWKWARD_TEXTS = [
  'Commas, "quotes" and; semicolons',
  'Two\r\nlines, and\nthree',
  '=HYPERLINK("https://example.org","x")',
  "'=already marked",
  "''+twice",
  '@sum',
  '+234 800',
  '-1',
  "'tis no formula",
  '<b>bold</b> & ]]> "x"',
  'Zażółć, 💥, ẹ̀kọ́, ₦500',
  '|a|b|',
]

/** Returns an incident for each text, which is in every text field. */
export function awkwardIncidents(): Incident[] {
  return AWKWARD_TEXTS.map((text, index) => {
    const plain = anIncident(index + 1)
    const sources = [
      { url: `https://example.org/?q=a|b&n=${index}`, publisher: 'Example Daily', published_at: null },
      { url: null, publisher: 'Nigeria Police', published_at: null },
    ]
    return { ...plain, summary: text, location: { ...plain.location, place: text }, sources }
  })
}

/** Removes the fields that a flat format such as CSV does not have. */
export function withoutNestedFields(incident: Incident): Incident {
  const sources = incident.sources.map(({ url, publisher }) => ({
    url: url?.replaceAll('|', '%7C') ?? null,
    publisher,
    published_at: null,
  }))
  return { ...incident, confidence_reasons: [], sources }
}
