import { loadIncident } from '../../../desk/desk/moderated-incident.ts'
import type { Tip } from '../../../store/store.ts'
import { listTips } from '../../contract/desk/tips.ts'
import type { Router } from '../../router.ts'

const DAY_MS = 86_400_000

export function deskTipRoutes(router: Router): void {
  const { TIP_CONTACT_DAYS } = router.environment.config

  router.add(listTips, async ({ reply, parameters, services: { store } }) => {
    const { incident, moderation } = await loadIncident(parameters.id, store)
    const tips = await store.tips.ofIncidents([incident.id, ...(moderation.merged_from ?? [])])
    reply.header('cache-control', 'private, no-store')
    return { data: tips.map(tipResponse) }
  })

  function tipResponse({ incidentId, receivedAt, contact, additions }: Tip) {
    return {
      incident_id: incidentId,
      received_at: new Date(receivedAt).toISOString(),
      contact,
      kept_until: new Date(receivedAt + TIP_CONTACT_DAYS * DAY_MS).toISOString(),
      additions,
    }
  }
}
