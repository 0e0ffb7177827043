import type { Incident } from '../../../src/domain/incident.ts'
import { anIncident } from '../incident.ts'

/** Texts that have broken a format before. */
export const AWKWARD_TEXTS = [
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
