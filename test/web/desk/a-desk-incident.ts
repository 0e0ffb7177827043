import type { DeskIncident } from '../../../web/desk/desk-api.ts'
import { anIncident } from '../../support/incident.ts'

/** Returns an open report with the given changes. */
export function aDeskIncident(
  number: number,
  changes: Partial<DeskIncident> = {},
  desk: Partial<DeskIncident['desk']> = {},
): DeskIncident {
  return {
    ...anIncident(number, { status: 'reported', confirmed_at: null, published_at: null }),
    ...changes,
    desk: {
      origin: 'api',
      claim: null,
      text: null,
      official_sources: [],
      severity_given: false,
      merged_into: null,
      source_id: null,
      possible_duplicates: [],
      ...desk,
    },
  }
}
