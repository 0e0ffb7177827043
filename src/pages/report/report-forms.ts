import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../api/services.ts'
import type { TipAdmission } from '../../api/tips.ts'
import type { Challenge } from '../../desk/tips/challenges.ts'
import { addToTip, receiveTip, type TipParts } from '../../desk/tips/receive-tip.ts'
import { MAX_CONTACT_LENGTH, MAX_TIP_LENGTH, MIN_TIP_LENGTH } from '../../domain/tips.ts'
import type { Html } from '../html.ts'
import type { PageLanguage } from '../page-language.ts'
import { additionPage } from './addition-form.ts'
import type { FormContext } from './controls.ts'
import { type Fault, faultsOf } from './faults.ts'
import { dayInNigeria, type FormValues, hasProof, line, tipOf } from './form-values.ts'
import { refusalOf } from './refusal.ts'
import { reportForm } from './report-form.ts'
import { addedPage, sentBeforePage, sentPage } from './sent.ts'

/** Nobody reads the form and writes a sentence in less time; a program without a script does. */
const MIN_FORM_AGE_MS = 3000

export interface FormAnswer {
  readonly status: number
  readonly body: Html
  readonly headers?: Readonly<Record<string, string>>
}

/** A form that was opened or sent, and the language of its answer. */
export interface SentForm {
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
