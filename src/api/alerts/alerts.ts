import Type from 'typebox'
import { invalidBody } from '../../domain/errors.ts'
import { LANGUAGE_CODES } from '../../domain/languages.ts'
import { parseAlertFilter } from '../../filter/live-filters.ts'
import { loadLanguage } from '../../i18n/translate.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { CheckedByHandler, Closed, NamedObject, OneOf, Text, Time } from '../contract/schema.ts'
import type { Router } from '../router.ts'
import { askForAlert, startAlertHere } from './ask.ts'

const endpoint = endpointsOf({ tag: 'Alerts', scope: null })

const area = Text('The area and the severity, in words.')
const link = Text('A page that shows the alert and ends it; a POST to it ends the alert at once. It is a secret.')

NamedObject('StartedAlert', { status: OneOf(['started']), area, link })

NamedObject('BrowserAlertList', {
  data: Type.Array(Type.Object({ area, since: Time('When it was asked for.'), link })),
})

const language = (description: string) => Type.Optional(OneOf(LANGUAGE_CODES, description))

export const requestAlert = endpoint('requestAlert', 'POST /v1/alerts', {
  summary: 'Ask for alerts, without an account',
  description:
    'For anybody: no key is needed. Tells of every incident that is confirmed in the area, and of corrections and withdrawals; or of those of one incident. By e-mail or in a browser: send either `email` or `push`. People use the page `/alerts`.\n\n' +
    'By e-mail, the address is asked first: nothing else is sent before the link in that mail is opened, within 24 hours; every later mail has a link that ends the alert and deletes the address. The answer is the same whether or not a mail was sent: an address that has not answered is asked once a week, whoever asks.\n\n' +
    'In a browser, the alert starts at once: its push service has to take a first notification, which says so. Asking again for the same returns the alert that there is. It ends by its link, when the push service says that the browser is gone, or when the browser has opened no page of this service for 60 days; all that was stored of it is then deleted.\n\n' +
    'Limited for each client, for each receiver and over all.',
  neverReplayed: true,
  body: Closed(
    {
      email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
      push: Type.Optional(CheckedByHandler(Type.Ref('BrowserSubscription'))),
      filter: CheckedByHandler(
        Type.Ref('WatchFilter', {
          description:
            'Where: `state`, `lga`, `near` with `radius_km`, `bbox`, `polygon` or `route`; and, if wanted, `type`, `category`, `severity` or `min_severity`. Or `incident` alone, with the id of one incident to follow.',
        }),
      ),
      language: language('Of the question and of the messages. Default: `en`.'),
    },
    { example: { email: 'you@example.org', filter: { state: ['Kaduna'], min_severity: 'high' } } },
  ),
  response: {
    status: 202,
    description: 'The address is asked, unless it was asked lately.',
    schema: Type.Ref('PendingKey'),
  },
  otherResponses: [
    { status: 201, description: 'The alert has started in the browser.', schema: Type.Ref('StartedAlert') },
  ],
  problems: ['too_many_values', 'mail_not_set_up', 'too_many_alerts', 'channel_unavailable'],
})

export const listBrowserAlerts = endpoint('listBrowserAlerts', 'POST /v1/push/alerts', {
  sample: null,
  summary: 'List the alerts of a browser',
  description:
    'For the browser itself: no key is needed, since nobody else knows its endpoint. Alerts without an account only, oldest first; empty if the endpoint is not known.',
  neverReplayed: true,
  body: Closed(
    {
      endpoint: Text('The `endpoint` of the subscription of the browser.', { minLength: 1, maxLength: 1000 }),
      language: language('Of the area in words. Default: `en`.'),
    },
    { example: { endpoint: 'https://push.example.org/send/0123456789abcdef' } },
  ),
  response: ok('The alerts.', Type.Ref('BrowserAlertList')),
})

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
