import type { Incident } from '../domain/incident.ts'
import { CATEGORIES, SEVERITY_DESCRIPTIONS, TYPES } from '../domain/taxonomy.ts'
import type { Layout } from './layouts.ts'
import { element, emptyElement, escaped, group, headline, XML_DECLARATION } from './xml.ts'

const NOTHING = Buffer.alloc(0)
const NAMESPACES = 'xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss"'

export interface Feed {
  readonly publicUrl: string
  /** The feed's own address, without a key. */
  readonly self: string
  /** By default that of all incidents. */
  readonly title?: string
  /** The page with the same incidents; by default the map. */
  readonly page?: string
  readonly updatedAt: number
}

/** An Atom feed (RFC 4287) whose entries have a GeoRSS-Simple point. */
export function atomLayout({
  publicUrl,
  self,
  title = 'Security incidents in Nigeria',
  page = `${publicUrl}/`,
  updatedAt,
}: Feed): Layout {
  const head = [
    XML_DECLARATION,
    `<feed ${NAMESPACES}>`,
    element('id', self),
    element('title', title),
    element('updated', new Date(updatedAt).toISOString()),
    emptyElement('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    emptyElement('link', { rel: 'alternate', type: 'text/html', href: page }),
    group('author', [element('name', 'Incident Feed')]),
  ]
  return {
    name: 'atom',
    contentType: 'application/atom+xml; charset=utf-8',
    head: Buffer.from(head.join('')),
    separator: NOTHING,
    ending: NOTHING,
    tail: () => '</feed>\n',
    write: (incident) => entry(incident, publicUrl),
  }
}

function entry(incident: Incident, publicUrl: string): string {
  const { id, type, category, severity, summary, lat, lng, sources } = incident
  const url = `${publicUrl}/v1/incidents/${id}`
  const term = (name: string, label: string) => emptyElement('category', { term: name, label })
  return group('entry', [
    element('id', url),
    element('title', headline(incident)),
    element('updated', incident.updated_at),
    element('published', incident.published_at),
    emptyElement('link', { rel: 'alternate', type: 'text/html', href: `${publicUrl}/incidents/${id}` }),
    emptyElement('link', { rel: 'related', type: 'application/json', href: url }),
    emptyElement('link', { rel: 'related', type: 'application/cap+xml', href: `${url}.cap` }),
    ...sources.flatMap(({ url: source, publisher }) =>
      source === null ? [] : [emptyElement('link', { rel: 'via', href: source, title: publisher })],
    ),
    term(type, TYPES[type].label),
    term(category, CATEGORIES[category].label),
    term(severity, SEVERITY_DESCRIPTIONS[severity].label),
    `<summary type="text">${escaped(summary)}</summary>`,
    element('georss:point', `${lat} ${lng}`),
  ])
}
