import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BOUNDARIES } from '../../api/caching.ts'
import { CachedBody, sendBytes } from '../../api/response.ts'
import type { Environment } from '../../api/services.ts'
import type { TipAdmission } from '../../api/tips.ts'
import { readData, type SettlementRecord } from '../../geo/data.ts'
import { memoize } from '../../lib/memoize.ts'
import { acceptForms, sendPage } from '../page.ts'
import { type PageLanguage, pageLanguage } from '../page-language.ts'
import { readStateShapes } from '../projection.ts'
import { emptyForm, readForm } from './form-values.ts'
import { type FormAnswer, ReportForms } from './report-forms.ts'

/** The longest text, with every letter of three bytes written as nine characters. */
const MAX_FORM_BYTES = 64 * 1024
const TITLES = { '/report': 'page.report', '/report/add': 'report.add_title' } as const
type Path = keyof typeof TITLES

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
    sendBytes(request, reply, ground, 'application/json', BOUNDARIES),
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

/** Units of the pin's map in a degree: a unit is about a kilometre. */
const UNITS_PER_DEGREE = 100

/**
 * The map behind the pin, loaded when somebody opens it: outlines of the states as paths, and towns
 * as name, x and y, the largest first. x grows to the east and y to the south.
 */
const pinGround = memoize((statesGeoJson: Buffer): CachedBody => {
  const states = readStateShapes(statesGeoJson).map(({ rings }) => rings.map(ringPath).join(''))
  const towns = readData<SettlementRecord[]>('settlements.json')
    .toSorted((one, other) => other.population - one.population)
    .map(({ name, lng, lat }) => [name, units(lng), -units(lat)])
  return new CachedBody(Buffer.from(JSON.stringify({ units: UNITS_PER_DEGREE, states, towns })))
})

/** Steps from point to point: most have one digit. */
function ringPath(ring: readonly (readonly [number, number])[]): string {
  let path = ''
  let [lastX, lastY] = [0, 0]
  for (const [lng, lat] of ring) {
    const [x, y] = [units(lng), -units(lat)]
    if (path !== '' && x === lastX && y === lastY) continue
    path += path === '' ? `M${x} ${y}` : `l${x - lastX} ${y - lastY}`
    lastX = x
    lastY = y
  }
  return `${path}z`
}

function units(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE)
}

/** Added to the style of all pages. Controls have 16 px: smaller ones make phones zoom in. */
export const REPORT_STYLE = `
.report{max-width:640px}
.danger{padding:8px 12px;border-left:4px solid var(--medium);background:var(--panel)}
.field{margin:0 0 20px;max-width:none}
.field label,.choices legend{display:block;font-weight:600;margin-bottom:4px;padding:0}
.hint{display:block;color:var(--quiet);font-size:13px;margin-bottom:4px}
.field input,.field textarea,.field select{display:block;width:100%;min-height:44px;padding:8px 12px;font:16px/1.4 system-ui,sans-serif;color:var(--ink);background:var(--panel);border:1px solid var(--quiet);border-radius:8px}
.field textarea{resize:vertical}
.field [aria-invalid]{border:2px solid var(--high)}
.field :focus-visible,.choice :focus-visible,[tabindex]:focus-visible,.pin-map:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.fault{display:block;margin-top:4px}
.fault::before{content:"⚠ "}
.faults{margin:0 0 20px;padding:12px 16px;border:2px solid var(--high);border-radius:8px;background:var(--panel)}
.faults h2{margin:0 0 4px;font-size:17px}
.faults ul{margin:0;padding-left:20px}
.faults a{display:inline-block;padding:4px 0;color:inherit}
.choices{margin:0 0 20px;padding:0;border:0}
.choice{display:flex;align-items:center;gap:12px;min-height:44px;font-weight:400}
.choice input{width:20px;height:20px;flex:none}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px}
@media(max-width:420px){.pair{grid-template-columns:1fr;gap:0}}
.trap{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
input.reference{font-family:ui-monospace,monospace;letter-spacing:1px;text-transform:uppercase}
code.key{font-size:20px;letter-spacing:1px;margin-bottom:12px}
.status{min-height:24px}
.status.failed{font-weight:600}
button[disabled]{opacity:.6;cursor:default}
button.plain{min-height:44px;margin:0 8px 8px 0;padding:0 16px;font-weight:400;background:none;color:var(--accent);border:1px solid currentcolor}
.point{margin:-8px 0 20px}
.point p{margin:0 0 8px}
.pin{position:relative;margin-bottom:8px}
.pin-map{display:block;width:100%;height:300px;border:1px solid var(--line);border-radius:8px;background:var(--outside);touch-action:none;cursor:grab}
.pin-map path{fill:var(--land);stroke:var(--border);vector-effect:non-scaling-stroke}
.pin-map circle{fill:var(--quiet)}
.pin-map text{fill:var(--ink);font-family:system-ui,sans-serif}
.pin::after,.pin::before{content:"";position:absolute;left:50%;top:50%;background:var(--high);pointer-events:none}
.pin::before{width:2px;height:36px;margin:-18px 0 0 -1px}
.pin::after{height:2px;width:36px;margin:-1px 0 0 -18px}
.pin-zoom{position:absolute;right:8px;top:8px;display:grid;gap:8px}
.pin-zoom button{width:44px;padding:0;font-size:20px}
`
