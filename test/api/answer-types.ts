import { listSessions } from '../../src/api/accounts/sessions.ts'
import { readPushKey } from '../../src/api/alerts/alerts.ts'
import { deleteArea, readArea } from '../../src/api/areas.ts'
import type { Router } from '../../src/api/router.ts'
import { retryWatch } from '../../src/api/watches/contract.ts'

/** Never runs: `tsc` refuses this file if an answer compiles that the reference forbids. */
export function answers(router: Router): void {
  const area = {
    ...{ id: 'area_1', name: 'Kaduna', kind: 'circle' as const, circle: { lat: 10.5, lng: 7.4, radius_km: 5 } },
    ...{ watches: 0, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  }

  router.add(retryWatch, () => ({ pending: 1 }))
  router.add(retryWatch, async () => ({ pending: 1 }))
  router.add(retryWatch, ({ reply }) => reply.send('{"pending":1}'))
  router.add(readArea, () => area)
  router.add(deleteArea, ({ reply }) => {
    reply.status(204)
  })
  router.add(listSessions, async () => ({ data: [] }))

  // @ts-expect-error A member is missing.
  router.add(retryWatch, () => ({}))
  // @ts-expect-error A member has another type.
  router.add(retryWatch, () => ({ pending: '1' }))
  // @ts-expect-error The same of a promise.
  router.add(retryWatch, async () => ({ pending: '1' }))
  // @ts-expect-error A member is not in the reference.
  router.add(retryWatch, () => ({ pending: 1, failed: 2 }))
  // @ts-expect-error The same of a promise.
  router.add(retryWatch, async () => ({ pending: 1, failed: 2 }))
  // @ts-expect-error Deep inside an object that is no literal.
  router.add(readArea, () => ({ ...area, circle: { ...area.circle, radius_m: 5000 } }))
  // @ts-expect-error A text that is none of the choices.
  router.add(readArea, () => ({ ...area, kind: 'square' as const }))
  // @ts-expect-error An entry of a list.
  router.add(listSessions, async () => ({ data: [{ id: 'ses_1' }] }))
  // @ts-expect-error No answer where one is promised.
  router.add(readPushKey, () => undefined)
  // @ts-expect-error Null instead.
  router.add(readPushKey, () => null)
  // @ts-expect-error An answer where none is promised.
  router.add(deleteArea, () => ({ deleted: true }))
  // @ts-expect-error The answer of another operation.
  router.add(readPushKey, () => area)
  // @ts-expect-error The path has no such parameter.
  router.add(readArea, ({ parameters }) => ({ ...area, id: parameters.area }))
}
