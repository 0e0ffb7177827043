import { readStatus } from '../contract/read/status.ts'
import { type ReadStatus, type ServiceStatus, STATUS_MAX_AGE_SECONDS } from '../monitoring/service-status.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import type { Router } from '../router.ts'

/** The same for everybody: shared caches may keep it too. */
const CACHING = { cacheControl: `public, max-age=${STATUS_MAX_AGE_SECONDS}`, vary: 'Accept-Encoding' }

export function statusRoutes(router: Router, read: ReadStatus): void {
  let written: { readonly status: ServiceStatus; readonly body: CachedBody } | null = null
  router.add(readStatus, async ({ request, reply }) => {
    const status = await read()
    if (written?.status !== status) written = { status, body: new CachedBody(Buffer.from(JSON.stringify(status))) }
    return sendBytes(request, reply, written.body, 'application/json; charset=utf-8', CACHING)
  })
}
