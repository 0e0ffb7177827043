import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CACHING_FOR_A_WEEK, sendBytes } from '../../api/responses/send.ts'
import type { Environment } from '../../api/services.ts'
import type { TipAdmission } from '../../api/tips.ts'
import { acceptForms } from '../form.ts'
import { sendPage } from '../page.ts'
import { type PageLanguage, pageLanguage } from '../page-language.ts'
import { emptyForm, readForm } from './form-values.ts'
import { pinGround } from './ground.ts'
import { type FormAnswer, ReportForms } from './report-forms.ts'
import { REPORT_STYLE } from './style.ts'

/** The longest text, with every letter of three bytes written as nine characters. */
const MAX_FORM_BYTES = 64 * 1024
const TITLES = { '/report': 'page.report', '/report/add': 'report.add_title' } as const
type Path = keyof typeof TITLES
/** Needs no key, so shared caches may keep it. */
const GROUND_CACHING = { ...CACHING_FOR_A_WEEK, cacheControl: 'public, max-age=604800' }

/** Serves `/report` and `/report/add`: forms that work without JavaScript. */
export function reportPages(server: FastifyInstance, environment: Environment, admission: TipAdmission): void {
  const { clock, geography, mapAssets, publicUrl } = environment
  const forms = new ReportForms(environment, admission)
  const ground = pinGround(geography.statesGeoJson)

  server.get('/report', async (request, reply) => {
    const language = await pageLanguage(request)
    return send(reply, '/report', language, await forms.openReport({ values: emptyForm(clock()), language }))
  })

  server.get('/report/add', async (request, reply) => {
    const language = await pageLanguage(request)
    return send(reply, '/report/add', language, await forms.openAddition({ values: emptyForm(clock()), language }))
  })

  server.get('/report/ground.json', (request, reply) =>
    sendBytes(request, reply, ground, 'application/json', GROUND_CACHING),
  )

  server.register(async (form) => {
    acceptForms(form, MAX_FORM_BYTES)
    form.post('/report', async (request: FormRequest, reply) => {
      const language = await pageLanguage(request)
      const sent = { values: readForm(request.body), language }
      return send(reply, '/report', language, await forms.receiveReport(request, sent))
    })
    form.post('/report/add', async (request: FormRequest, reply) => {
      const language = await pageLanguage(request)
      const sent = { values: readForm(request.body), language }
      return send(reply, '/report/add', language, await forms.receiveAddition(request, sent))
    })
  })

  function send(reply: FastifyReply, path: Path, language: PageLanguage, answer: FormAnswer): FastifyReply {
    const t = language.translate
    return sendPage(reply.status(answer.status).headers(answer.headers ?? {}), {
      title: `${t(TITLES[path])} · ${t('common.name')}`,
      description: t('report.description'),
      body: answer.body,
      words: language,
      address: `${publicUrl()}${path}`,
      style: REPORT_STYLE,
      script: mapAssets?.report.script,
      secret: true,
    })
  }
}

type FormRequest = FastifyRequest<{ Body: URLSearchParams | undefined }>
