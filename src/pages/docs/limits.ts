import { MAX_SITES } from '../../domain/sites.ts'
import { BUFFER_KM, MAX_POINTS, MAX_POSITIONS } from '../../filter/filter-object.ts'
import { MAX_LIMIT } from '../../filter/listing.ts'
import { MAX_LIST_VALUES } from '../../filter/parameters.ts'
import { type Html, html } from '../html.ts'
import type { DocsContext } from './docs-page.ts'

/** The limits that are in force on this service: those of its settings, and the fixed ones. */
export function limitTable({ config }: DocsContext): Html {
  const rows: readonly (readonly [string, number | string])[] = [
    ['Requests per minute and account, over all its keys', config.RATE_LIMIT],
    ['Requests per minute with a publishable key, for each client address', config.RATE_LIMIT_PUBLISHABLE],
    ['Requests per minute with all publishable keys of an account', config.RATE_LIMIT_PUBLISHABLE_TOTAL],
    ['Requests per minute without a key, for each client address', config.RATE_LIMIT_ADDRESS],
    ['Valid keys per account', config.KEYS_PER_ACCOUNT],
    ['Watches per account', config.WATCHES_PER_ACCOUNT],
    ['Lists of sites per account', config.SITE_LISTS_PER_ACCOUNT],
    ['Sites of a list', MAX_SITES],
    ['Test messages per minute and account', config.WATCH_TESTS_PER_MINUTE],
    ['Previews of filters per minute and account', config.PREVIEWS_PER_MINUTE],
    ['Uploads of sites per minute and account', config.SITE_UPLOADS_PER_MINUTE],
    ['Open streams per account, on each node', config.STREAMS_PER_ACCOUNT],
    ['New keys per hour for each client address', config.SIGNUPS_PER_HOUR],
    ['Incidents per page', MAX_LIMIT],
    ['Values of one list in a filter', MAX_LIST_VALUES],
    ['Positions of a polygon', MAX_POSITIONS],
    ['Points of a route', MAX_POINTS],
    ['Distance to either side of a route', `${BUFFER_KM.least} to ${BUFFER_KM.most} km`],
    ['Size of a request body', '256 KiB; 4 MiB for sites'],
  ]
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Limit</th><th scope="col">Value</th></tr></thead><tbody>${rows.map(
    ([name, value]) =>
      html`<tr><td>${name}</td><td>${typeof value === 'number' ? value.toLocaleString('en') : value}</td></tr>`,
  )}</tbody></table></div>`
}
