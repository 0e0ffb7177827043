import { invalidBody } from '../../../domain/errors.ts'
import { runInSlices } from '../../../lib/steps.ts'
import { parseTime } from '../../../lib/time.ts'
import { extractInSteps } from '../../../reading/extract.ts'
import { extractIncidents } from '../../contract/desk/extraction.ts'
import { QueryClient } from '../../requests/client.ts'
import type { Router } from '../../router.ts'

export function extractRoutes(router: Router): void {
  const { gazetteer } = router.environment.geography

  router.add(extractIncidents, async ({ request, reply, body }) => {
    const story = { ...body, published_at: publicationTime(body.published_at ?? null) }
    const asker = new QueryClient(request, reply)
    return { candidates: await runInSlices(extractInSteps(story, gazetteer), asker.subject, asker.signal()) }
  })
}

function publicationTime(text: string | null): string | null {
  if (text === null) return null
  const time = parseTime(text)
  if (time !== null) return new Date(time).toISOString()
  const message = 'must be an RFC 3339 time or a date, as 2026-11-11T09:00:00+01:00'
  throw invalidBody([{ pointer: '/published_at', message }])
}
