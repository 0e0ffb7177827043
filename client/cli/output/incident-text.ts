import type { Incident, IncidentField, IncidentWith } from '../../src/index.ts'

type Column = readonly [head: string, cell: (incident: Incident) => string]

const BEFORE_PLACE: readonly Column[] = [
  ['SEVERITY', ({ severity }) => severity],
  ['TYPE', ({ type }) => type],
  ['ID', ({ id }) => id],
  ['PLACE', placeOf],
]
const DAY: Column = ['OCCURRED', ({ occurred_at }) => occurred_at.slice(0, 10)]
const TIME: Column = ['OCCURRED', ({ occurred_at }) => occurred_at.slice(0, 16).replace('T', ' ')]
const SUMMARY: Column = ['SUMMARY', ({ summary }) => summary]

/** On a narrower terminal a summary would be a few letters: it is left out, and ids stay whole. */
const WIDTH_WITH_SUMMARY = 110

/** The head and rows of a table for a terminal of this width. */
export function incidentTable(incidents: readonly Incident[], width: number): [head: string[], rows: string[][]] {
  const shown = width < WIDTH_WITH_SUMMARY ? [DAY, ...BEFORE_PLACE] : [TIME, ...BEFORE_PLACE, SUMMARY]
  return [shown.map(([head]) => head), incidents.map((incident) => shown.map(([, cell]) => cell(incident)))]
}

/** The head and rows of a table of chosen members, in the order in which they were chosen. */
export function fieldTable(
  incidents: readonly IncidentWith<readonly IncidentField[]>[],
  chosen: readonly IncidentField[],
): [head: string[], rows: string[][]] {
  const fields = [...new Set<IncidentField>(chosen.includes('id') ? chosen : ['id', ...chosen])]
  const cell = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return [
    fields.map((field) => field.toUpperCase()),
    incidents.map((incident) => fields.map((field) => (incident[field] == null ? '' : cell(incident[field])))),
  ]
}

export function placeOf({ lga, state }: Pick<Incident, 'lga' | 'state'>): string {
  return lga === null ? state : `${lga}, ${state}`
}

/** All of one incident, for people. */
export function incidentLines(incident: Incident, page: string): string[] {
  const { location, casualties, sources, confidence } = incident
  const figures = (['killed', 'injured', 'abducted'] as const)
    .filter((name) => casualties[name] !== null)
    .map((name) => `${casualties[name]} ${name}`)
  return [
    `${incident.type} · ${incident.severity} · ${[location.place, placeOf(incident)].filter(Boolean).join(', ')}`,
    `Occurred ${incident.occurred_at} (${incident.time_precision}), published ${incident.published_at}`,
    `Where ${incident.lat}, ${incident.lng} (${location.precision}${location.radius_km === null ? '' : `, within ${location.radius_km} km`})`,
    `Confidence ${confidence}, version ${incident.version}`,
    ...(figures.length > 0 ? [figures.join(', ')] : []),
    incident.summary,
    ...sources.map(({ publisher, url }) => `Source: ${publisher}${url === null ? '' : ` ${url}`}`),
    page,
  ]
}
