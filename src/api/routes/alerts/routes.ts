import { invalidBody } from '../../../domain/errors.ts'
import { parseAlertFilter } from '../../../filter/filter/alert-filter.ts'
import { loadLanguage } from '../../../i18n/load.ts'
import { askForAlert, startAlertHere } from '../../alerts/ask.ts'
import { requestAlert } from '../../contract/alerts/alerts.ts'
import type { Router } from '../../router.ts'

const DETAIL =
  'If the address was not asked lately, a mail is on its way with a link that starts the alert within 24 hours. An address that does not answer is asked once a week.'

const EITHER = 'must have either email, an address, or push, the subscription of a browser'

export function alertRoutes(router: Router): void {
  const { places } = router.environment.geography

  router.add(requestAlert, async ({ request, reply, body, services }) => {
    const { email, push, language = 'en' } = body
    if ((email === undefined) === (push === undefined)) throw invalidBody([{ pointer: '', message: EITHER }])
    const filter = parseAlertFilter(body.filter, '/filter', places)
    if ('errors' in filter) throw invalidBody(filter.errors)
    const words = await loadLanguage(language)
    if (email === undefined) {
      const asked = { push, filter: filter.value, words }
      const { area, link } = await startAlertHere(request, router.environment, services, asked)
      reply.status(201).header('cache-control', 'no-store')
      return { status: 'started' as const, area, link }
    }
    await askForAlert(request, router.environment, services, { email, filter: filter.value, words })
    reply.status(202)
    return { status: 'mailed' as const, detail: DETAIL }
  })
}
