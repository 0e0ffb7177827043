import { type Explanation, explain } from '../../../deliveries/explain.ts'
import { invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { shownStatus, type Watch, type WatchEvent } from '../../../domain/watch.ts'
import { explainWatch } from '../../contract/watches/explain.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { findWatch } from './find-watch.ts'
import { storedFilter } from './request.ts'

export function watchExplainRoutes(router: Router): void {
  const { places } = router.environment.geography

  router.add(explainWatch, async ({ request, parameters, services: { store } }) => {
    const incidentId = parametersOf(request, explainWatch, places).text('incident')
    if (incidentId === null || !isIdentifier('incident', incidentId))
      throw invalidParameters([
        { parameter: 'incident', message: 'must be the id of an incident, such as inc_01jd8z0c5x…' },
      ])
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const filter = await storedFilter(watch, places, store)
    const explanation = await explain(watch, filter, incidentId, store)
    if (explanation === null) throw new Problem('not_found', 'There is no such incident.')
    return explanationResponse(watch, incidentId, explanation)
  })
}

function explanationResponse(watch: Watch, incidentId: string, { matches, conditions, events, verdict }: Explanation) {
  return {
    watch_id: watch.id,
    incident_id: incidentId,
    matches,
    conditions,
    events: events.map(({ event, matches, listed, afterCreation, delivery, outcome }) => ({
      seq: event.seq,
      event: event.kind as WatchEvent,
      at: new Date(event.at).toISOString(),
      matches,
      listed,
      after_creation: afterCreation,
      delivery,
      outcome,
    })),
    watch: { status: shownStatus(watch), created_at: new Date(watch.createdAt).toISOString() },
    verdict,
  }
}
