import { auditEntryOf } from '../../../accounts/audit.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { parseLimit } from '../../../filter/parameter-values.ts'
import type { Store } from '../../../store/store.ts'
import { closeUnplacedStory, listUnplacedStories } from '../../contract/sources/unplaced-stories.ts'
import { sendAnswer } from '../../idempotency.ts'
import { pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { positionCursor, readPositionCursor } from './cursor.ts'
import { storyResponse } from './response.ts'

const MAX_PAGE_SIZE = 200

export function unplacedStoryRoutes(router: Router): void {
  const { geography, clock } = router.environment

  router.add(listUnplacedStories, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listUnplacedStories, geography.places)
    const errors: FieldError[] = []
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const position = readPositionCursor('item', text('cursor'))
    const before = position && { foundAt: position.at, id: position.id }
    const stories = await store.sources.openStories(before, limit + 1)
    return pageOf(stories, limit, ({ foundAt, id }) => positionCursor(foundAt, id), storyResponse)
  })

  router.add(closeUnplacedStory, async ({ request, reply, parameters: { id }, body, services, storeWith }) => {
    const incidentIds = body?.incident_ids ?? []
    await requireIncidents(incidentIds, services.store)
    const act = { action: 'story.close', subject: id, after: { incident_ids: incidentIds } }
    const answer = { status: 204, body: undefined }
    const { sources } = storeWith(answer).withAudit(auditEntryOf(request.caller!, act, clock()))
    if (!isIdentifier('item', id) || !(await sources.closeStory(id, incidentIds)))
      throw new Problem('not_found', 'There is no such story, or it is closed already.')
    return sendAnswer(reply, answer)
  })
}

async function requireIncidents(ids: readonly string[], store: Store): Promise<void> {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries())
    if (!isIdentifier('incident', id) || (await store.incidents.find(id)) === null)
      errors.push({ pointer: `/incident_ids/${index}`, message: 'is no incident' })
  if (errors.length > 0) throw invalidBody(errors)
}
