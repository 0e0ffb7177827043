import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../api/services.ts'
import type { TipAdmission } from '../../api/tips.ts'
import type { Challenge } from '../../desk/tips/challenges.ts'
import { addToTip, receiveTip, type TipParts } from '../../desk/tips/receive-tip.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { Problem } from '../../domain/errors.ts'
import type { State } from '../../domain/places.ts'
import { TYPE_NAMES } from '../../domain/taxonomy.ts'
import { MAX_CONTACT_LENGTH, MAX_PLACE_LENGTH, MAX_TIP_LENGTH, MIN_TIP_LENGTH } from '../../domain/tips.ts'
import type { Translate } from '../../i18n/translate.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { type Html, html } from '../html.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'
import {
  dayInNigeria,
  type Fault,
  type Field,
  type FormValues,
  faultsOf,
  hasProof,
  line,
  NO_CHOICE,
  tipOf,
} from './form-values.ts'

/** Nobody reads the form and writes a sentence in less time; a program without a script does. */
const MIN_FORM_AGE_MS = 3000

export interface FormAnswer {
  readonly status: number
  readonly body: Html
  readonly headers?: Readonly<Record<string, string>>
}

/** A form that was opened or sent, and the language of its answer. */
interface SentForm {
  readonly values: FormValues
  readonly language: PageLanguage
}

type Write = (context: FormContext, values: FormValues) => Html
type StoreForm = (parts: TipParts, challenge: Challenge) => Promise<FormAnswer>

/** Answers the forms of the pages; whatever is wrong, what was written is in the answer. */
export class ReportForms {
  readonly #environment: Environment
  readonly #admission: TipAdmission

  constructor(environment: Environment, admission: TipAdmission) {
    this.#environment = environment
    this.#admission = admission
  }

  openReport(form: SentForm): Promise<FormAnswer> {
    return this.#again(this.#writeReport, form, 200, [])
  }

  openAddition(form: SentForm): Promise<FormAnswer> {
    return this.#again(additionPage, form, 200, [])
  }

  receiveReport(request: FastifyRequest, form: SentForm): Promise<FormAnswer> {
    const { values, language } = form
    const t = language.translate
    return this.#receive(this.#writeReport, request, form, async (parts, challenge) => {
      const result = await receiveTip(parts, challenge, tipOf(values))
      if (result.outcome === 'received') return { status: 200, body: sentPage(language, result.reference, this.#days) }
      if (result.outcome === 'wrong')
        return this.#again(this.#writeReport, form, 422, faultsOf(result.errors, values, t), challenge)
      return { status: 409, body: sentBeforePage(await this.#newContext(language), result.reference, values) }
    })
  }

  receiveAddition(request: FastifyRequest, form: SentForm): Promise<FormAnswer> {
    const { values, language } = form
    const t = language.translate
    return this.#receive(additionPage, request, form, async (parts, challenge) => {
      const { reference, text, contact } = values
      const outcome = await addToTip(parts, challenge, { reference, text, contact: line(contact) })
      if (outcome === 'received') return { status: 200, body: addedPage(language) }
      const days = this.#days
      if (outcome === 'unknown') {
        const fault = { field: 'reference', message: t('report.error_reference', { days }) } as const
        return this.#again(additionPage, form, 404, [fault], challenge)
      }
      const message = t(outcome === 'used' ? 'report.error_expired' : 'report.error_additions')
      return this.#again(additionPage, form, 409, [{ field: null, message }])
    })
  }

  /** Checks everything but the content of the form. */
  async #receive(write: Write, request: FastifyRequest, form: SentForm, store: StoreForm): Promise<FormAnswer> {
    const { values, language } = form
    const t = language.translate
    const { clock } = this.#environment
    try {
      const challenge = (await this.#admission.challenges()).read(values.challenge, clock())
      if (challenge === null || challenge === 'expired')
        return await this.#again(write, form, 422, [{ field: null, message: t('report.error_expired') }])
      const withProof = hasProof(values, challenge)
      if (!withProof && clock() - challenge.issuedAt < MIN_FORM_AGE_MS)
        return await this.#again(write, form, 429, [{ field: null, message: t('report.error_quick') }], challenge)
      const faults = this.#lengthFaults(form)
      if (faults.length > 0) return await this.#again(write, form, 422, faults, challenge)
      return await store(await this.#admission.partsFor(request, withProof), challenge)
    } catch (error) {
      return this.#refused(error, write, form)
    }
  }

  #lengthFaults({ values: { text, contact, website }, language: { translate: t } }: SentForm): Fault[] {
    const isTooShortOrLong = text.length < MIN_TIP_LENGTH || text.length > MAX_TIP_LENGTH
    return [
      ...(isTooShortOrLong
        ? [{ field: 'text' as const, message: t('report.error_text', { count: MAX_TIP_LENGTH }) }]
        : []),
      ...(contact.length > MAX_CONTACT_LENGTH
        ? [{ field: 'contact' as const, message: t('report.error_contact') }]
        : []),
      ...(website === '' ? [] : [{ field: 'website' as const, message: t('report.error_website') }]),
    ]
  }

  /** Writes the form again. It keeps a challenge that was not used, and the work done for it. */
  async #again(
    write: Write,
    form: SentForm,
    status: number,
    faults: readonly Fault[],
    challenge: Challenge | null = null,
  ): Promise<FormAnswer> {
    const { values, language } = form
    try {
      if (challenge === null) {
        const context = await this.#newContext(language, faults)
        return { status, body: write(context, { ...values, solutions: '' }) }
      }
      return { status, body: write(this.#context(language, challenge.text, faults), values) }
    } catch (error) {
      return this.#refused(error, write, form)
    }
  }

  /** Without the database no challenge is signed: the form keeps the one that it had. */
  #refused(error: unknown, write: Write, { values, language }: SentForm): FormAnswer {
    const refusal = refusalOf(error, language.translate)
    if (refusal === null) throw error
    const { status, message, retryAfter } = refusal
    const context = this.#context(language, values.challenge, [{ field: null, message }])
    return { status, body: write(context, values), headers: { 'retry-after': retryAfter } }
  }

  readonly #writeReport: Write = (context, values) => {
    const { geography, clock } = this.#environment
    return reportForm(context, values, geography.places.states, dayInNigeria(clock()))
  }

  async #newContext(words: PageLanguage, faults: readonly Fault[] = []): Promise<FormContext> {
    const { clock, config } = this.#environment
    const { text } = (await this.#admission.challenges()).issue(config.TIP_PROOF_BITS, clock())
    return this.#context(words, text, faults)
  }

  #context(words: PageLanguage, challenge: string, faults: readonly Fault[]): FormContext {
    return { words, challenge, faults, days: this.#days }
  }

  get #days(): number {
    return this.#environment.config.TIP_CONTACT_DAYS
  }
}

/** The form of `/report`, filled with what was sent before. */
function reportForm(context: FormContext, values: FormValues, states: readonly State[], today: string): Html {
  const { translate: t } = context.words
  const text = (attributes: Html) =>
    html`<textarea ${attributes} rows="6" required minlength="${MIN_TIP_LENGTH}" maxlength="${MAX_TIP_LENGTH}">${values.text}</textarea>`
  const day = (attributes: Html) =>
    html`<input ${attributes} type="date" required min="1960-01-01" max="${today}" value="${values.day}">`
  const contact = (attributes: Html) =>
    html`<input ${attributes} maxlength="${MAX_CONTACT_LENGTH}" autocomplete="off" value="${values.contact}">`
  return html`<article class="report"><h1>${t('page.report')}</h1><p class="danger">${t('report.danger')}</p><p>${t('report.intro')}</p>
${faultList(context)}
<form method="post" ${scriptWords(context)}>
${field(context, 'text', t('report.what'), text, t('report.what_hint'))}
${field(context, 'type', t('report.kind'), (attributes) => typeSelect(attributes, context, values))}
${whereFields(context, values, states)}
<div class="pair">${field(context, 'day', t('report.day'), day)}${field(context, 'time', t('report.time'), (attributes) => html`<input ${attributes} type="time" value="${values.time}">`)}</div>
${field(context, 'contact', t('report.contact'), contact, t('report.contact_hint', { days: context.days }))}
${hiddenFields(context, values)}
<p><button>${t('report.send')}</button></p><p class="status" role="status"></p></form>
<p class="quiet">${t('report.privacy')}</p><p><a href="${pathInLanguage('/report/add', context.words)}">${t('report.add_title')}</a></p></article>`
}

function typeSelect(attributes: Html, { words: { translate: t } }: FormContext, { type }: FormValues): Html {
  const labelled = TYPE_NAMES.map((name) => ({ value: name, label: t(`common.type_${name}`) }))
  return select(attributes, t('report.kind_unsure'), labelled, type)
}

function whereFields(context: FormContext, values: FormValues, states: readonly State[]): Html {
  const { translate: t } = context.words
  const place = (attributes: Html) =>
    html`<input ${attributes} maxlength="${MAX_PLACE_LENGTH}" autocomplete="off" value="${values.place}">`
  const named = states.map(({ name }) => ({ value: name, label: name }))
  return html`${field(context, 'place', t('report.place'), place, t('report.place_hint'))}${choices(context, values)}
<div class="point"><input type="hidden" name="lat" value="${values.lat}"><input type="hidden" name="lng" value="${values.lng}"></div>
${field(context, 'state', t('report.state'), (attributes) => select(attributes, t('report.state_unknown'), named, values.state))}`
}

/** The places that the name may mean. */
function choices({ faults, words: { translate: t } }: FormContext, { choice }: FormValues): Html | null {
  const offered = faults.find((fault) => fault.field === 'place')?.choices ?? []
  if (offered.length === 0) return null
  const options = [
    ...offered.map((name) => ({ value: name, label: name })),
    { value: NO_CHOICE, label: t('report.place_none') },
  ]
  const radios = options.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="radio" name="choice" value="${value}"${value === choice ? html` checked` : null}> ${label}</label>`,
  )
  return html`<fieldset class="choices"><legend id="place-fault">${t('report.error_place_which')}</legend>${radios}</fieldset>`
}

function select(
  attributes: Html,
  none: string,
  options: readonly { readonly value: string; readonly label: string }[],
  chosen: string,
): Html {
  const all = options.map(
    ({ value, label }) =>
      html`<option${value === label ? null : html` value="${value}"`}${value === chosen ? html` selected` : null}>${label}</option>`,
  )
  return html`<select ${attributes}><option value="">${none}</option>${all}</select>`
}

/** The page `/report/add`. */
function additionPage(context: FormContext, values: FormValues): Html {
  const { translate: t } = context.words
  return html`<article class="report"><h1>${t('report.add_title')}</h1><p>${t('report.add_intro')}</p>${additionForm(context, values)}<p><a href="${pathInLanguage('/report', context.words)}">${t('report.another')}</a></p></article>`
}

function additionForm(context: FormContext, values: FormValues): Html {
  const { translate: t } = context.words
  const reference = (attributes: Html) =>
    html`<input ${attributes} required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" class="reference" value="${values.reference}">`
  const text = (attributes: Html) =>
    html`<textarea ${attributes} rows="5" required minlength="${MIN_TIP_LENGTH}" maxlength="${MAX_TIP_LENGTH}">${values.text}</textarea>`
  const contact = (attributes: Html) =>
    html`<input ${attributes} maxlength="${MAX_CONTACT_LENGTH}" autocomplete="off" value="${values.contact}">`
  return html`${faultList(context)}<form method="post" action="${pathInLanguage('/report/add', context.words)}" ${scriptWords(context)}>
${field(context, 'reference', t('report.reference'), reference)}
${field(context, 'text', t('report.add_text'), text)}
${field(context, 'contact', t('report.add_contact'), contact, t('report.contact_hint', { days: context.days }))}
${hiddenFields(context, values)}
<p><button>${t('report.send')}</button></p><p class="status" role="status"></p></form>`
}

/** Shown once a tip has arrived, and again if its form is sent again. */
function sentPage(words: PageLanguage, reference: string, days: number): Html {
  const { translate: t } = words
  return html`<article class="report"><h1 tabindex="-1">${t('report.sent')}</h1><p>${t('report.sent_next')}</p>${referenceBox(t, reference, days)}<p><a href="${pathInLanguage('/report/add', words)}">${t('report.add_title')}</a></p>${whereNext(words)}</article>`
}

/** For a form that was sent before with other content: what is new can be added. */
function sentBeforePage(context: FormContext, reference: string, values: FormValues): Html {
  const { translate: t } = context.words
  return html`<article class="report"><h1 tabindex="-1">${t('report.sent')}</h1>${referenceBox(t, reference, context.days)}<p role="alert">${t('report.already_sent')}</p>${additionForm(context, { ...values, reference })}</article>`
}

function addedPage(words: PageLanguage): Html {
  const { translate: t } = words
  return html`<article class="report"><h1 tabindex="-1">${t('report.added')}</h1><p>${t('report.sent_next')}</p>${whereNext(words)}</article>`
}

function whereNext(words: PageLanguage): Html {
  const { translate: t } = words
  return html`<p><a href="${pathInLanguage('/report', words)}">${t('report.another')}</a></p><p><a href="${pathInLanguage('/', words)}">${t('page.to_the_map')}</a></p>`
}

function referenceBox(t: Translate, reference: string, days: number): Html {
  return html`<h2>${t('report.reference')}</h2><code class="key">${reference}</code><p>${t('report.reference_hint', { days })}</p>`
}

const UNAVAILABLE_SECONDS = '5'

interface Refusal {
  readonly status: number
  readonly message: string
  readonly retryAfter: string
}

/** The refusal when no form can be taken now: too many came, or the database is away. */
function refusalOf(error: unknown, t: Translate): Refusal | null {
  const unavailable = { status: 503, message: t('report.error_unavailable'), retryAfter: UNAVAILABLE_SECONDS }
  if (error instanceof StoreUnavailable) return unavailable
  if (!(error instanceof Problem)) return null
  if (error.code === 'starting') return unavailable
  if (error.code !== 'rate_limited') return null
  const retryAfter = error.headers['retry-after'] ?? '3600'
  const minutes = Math.ceil(Number(retryAfter) / 60)
  return { status: ERRORS[error.code].status, message: t('report.error_limit', { count: minutes }), retryAfter }
}

interface FormContext {
  readonly words: PageLanguage
  /** The challenge that the form answers. */
  readonly challenge: string
  readonly faults: readonly Fault[]
  /** TIP_CONTACT_DAYS */
  readonly days: number
}

/** One labelled control, with its hint and its fault beneath it. */
function field(
  context: FormContext,
  name: Field,
  label: string,
  control: (attributes: Html) => Html,
  hint: string | null = null,
): Html {
  const fault = context.faults.find((each) => each.field === name)
  const described = [...(hint === null ? [] : [`${name}-hint`]), ...(fault ? [`${name}-fault`] : [])].join(' ')
  const attributes = html`id="${name}" name="${name}"${described === '' ? null : html` aria-describedby="${described}"`}${fault ? html` aria-invalid="true"` : null}`
  return html`<p class="field"><label for="${name}">${label}</label>${hint === null ? null : html`<span class="hint" id="${name}-hint">${hint}</span>`}${control(attributes)}${fault && !fault.choices ? html`<strong class="fault" id="${name}-fault">${fault.message}</strong>` : null}</p>`
}

/** All faults at once, at the top: the first thing that a screen reader reads. */
function faultList({ faults, words }: FormContext): Html | null {
  if (faults.length === 0) return null
  const items = faults.map(({ field, message }) =>
    field === null
      ? html`<li>${message}</li>`
      : html`<li><a href="#${field === 'lat' ? 'place' : field}">${message}</a></li>`,
  )
  return html`<div class="faults" role="alert" tabindex="-1"><h2>${words.translate('report.not_sent')}</h2><ul>${items}</ul></div>`
}

/** The answered challenge, and a field that people do not see and programs fill in. */
function hiddenFields({ challenge, words, faults }: FormContext, { website, solutions }: FormValues): Html {
  const shown = faults.some(({ field }) => field === 'website')
  return html`<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="solutions" value="${solutions}"><p class="${shown ? 'field' : 'trap'}"${shown ? null : html` aria-hidden="true"`}><label for="website">${words.translate('report.website')}</label><input id="website" name="website" value="${website}" autocomplete="off"${shown ? null : html` tabindex="-1"`}></p>`
}

/** Words for the script, which has no catalogue of its own. */
function scriptWords({ words: { translate: t } }: FormContext): Html {
  const keys = [
    ...([
      'sending',
      'offline',
      'here',
      'here_hint',
      'here_failed',
      'pin',
      'pin_help',
      'pin_take',
      'pin_failed',
    ] as const),
    ...(['zoom_in', 'zoom_out', 'point', 'point_near', 'point_remove'] as const),
  ]
  const texts = Object.fromEntries(keys.map((key) => [key, t(`report.${key}`)]))
  return html`data-words="${JSON.stringify(texts)}"`
}
