import type { FastifyInstance } from 'fastify'
import { requestLanguage } from '../../api/requests/negotiation.ts'
import type { Environment } from '../../api/services.ts'
import type { Language } from '../../domain/languages.ts'
import { loadLanguage } from '../../i18n/load.ts'
import { StaticPage } from '../page.ts'
import { aboutBody } from './sections.ts'

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
