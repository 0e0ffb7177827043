import type { FastifyInstance } from 'fastify'
import type { Environment } from '../api/services.ts'
import { PRECISIONS } from '../domain/incident.ts'
import type { Language } from '../domain/languages.ts'
import { CONFIDENCE_LEVELS, SEVERITIES } from '../domain/taxonomy.ts'
import { loadLanguage, type MessageKey, type Translate } from '../i18n/translate.ts'
import { type Html, html } from './html.ts'
import { StaticPage } from './page.ts'
import { requestLanguage } from './page-language.ts'

/** Serves `/about`. Each language is written and compressed once. */
export function aboutPage(server: FastifyInstance, environment: Environment): void {
  const pages = new Map<Language, Promise<StaticPage>>()
  server.get('/about', async (request, reply) => {
    const language = requestLanguage(request)
    const page = pages.get(language) ?? writePage(language, environment)
    pages.set(language, page)
    return (await page).send(request, reply)
  })
}

async function writePage(language: Language, { config, publicUrl }: Environment): Promise<StaticPage> {
  const words = await loadLanguage(language)
  const { translate } = words
  return new StaticPage(() => ({
    title: `${translate('page.about')} · ${translate('common.name')}`,
    description: translate('about.description'),
    body: aboutBody(translate, config.DEMO),
    words,
    address: `${publicUrl()}/about`,
  }))
}

interface Section {
  readonly title: MessageKey
  readonly paragraphs: readonly MessageKey[]
}

/** The sections that are only sentences, in the order of the page. */
const BEFORE_MARKS: readonly Section[] = [
  { title: 'about.found', paragraphs: ['about.found_reports', 'about.found_imports'] },
  {
    title: 'about.confirmed',
    paragraphs: ['about.confirmed_desk', 'about.confirmed_place', 'about.confirmed_rules'],
  },
  { title: 'about.corrected', paragraphs: ['about.corrected_versions', 'about.corrected_tell'] },
  {
    title: 'about.complete',
    paragraphs: [
      'about.complete_missing',
      'about.complete_compare',
      'about.complete_late',
      'about.complete_casualties',
    ],
  },
  { title: 'about.marks', paragraphs: ['about.marks_dot', 'about.marks_disc', 'about.marks_area'] },
]

const AFTER_MARKS: readonly Section[] = [
  { title: 'about.times', paragraphs: ['about.times_zone'] },
  { title: 'about.languages', paragraphs: ['about.languages_draft'] },
]

const CREDITS: readonly MessageKey[] = [
  'about.credits_states',
  'about.credits_lgas',
  'about.credits_places',
  'about.credits_ground',
  'about.credits_font',
  'about.credits_code',
]

function aboutBody(t: Translate, isDemo: boolean): Html {
  return html`<article class="about"><h1>${t('page.about')}</h1><p>${t('about.intro')}</p>${isDemo ? html`<p><strong>${t('about.demo')}</strong></p>` : null}
${BEFORE_MARKS.map((section) => sentences(section, t))}
<h3 id="severity">${t('about.severity')}</h3><p>${t('panel.severity_help')}</p><ul class="plain-list">${SEVERITIES.map((severity) => html`<li class="with-mark"><span class="mark ${severity}"></span><span><strong>${t(`common.severity_${severity}`)}</strong>: ${t(`common.severity_${severity}_meaning`)}</span></li>`)}</ul>
<h3 id="precision">${t('about.precision')}</h3><p>${t('panel.precision_help')}</p><ul>${PRECISIONS.map((precision) => html`<li>${t(`panel.precision_help_${precision}`)}</li>`)}</ul>
<h3 id="confidence">${t('about.confidence')}</h3><p>${t('panel.confidence_help')}</p><ul>${CONFIDENCE_LEVELS.map((level) => html`<li>${t(`panel.confidence_help_${level}`)}</li>`)}</ul>
${AFTER_MARKS.map((section) => sentences(section, t))}
<h2>${t('about.credits')}</h2><ul>${CREDITS.map((key) => html`<li>${t(key)}</li>`)}</ul><p><a href="/docs">${t('about.developers')}</a></p></article>`
}

function sentences({ title, paragraphs }: Section, t: Translate): Html {
  return html`<h2>${t(title)}</h2>${paragraphs.map((key) => html`<p>${t(key)}</p>`)}`
}
