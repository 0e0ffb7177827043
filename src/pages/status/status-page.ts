import type { FastifyInstance } from 'fastify'
import type { ServiceStatus } from '../../../client/src/generated/types.ts'
import type { Environment, Phase } from '../../api/services.ts'
import type { ReadStatus } from '../../api/status.ts'
import type { Language } from '../../domain/languages.ts'
import type { LoadedLanguage } from '../../i18n/load.ts'
import { StaticPage } from '../page.ts'
import { pageLanguage } from '../page-language.ts'
import { sendStartingPage } from '../starting-page.ts'
import { statusBody } from './body.ts'
import { STATUS_STYLE } from './style.ts'

/** Serves `/status`. Each language is written and compressed once for each status. */
export function statusPage(
  server: FastifyInstance,
  { publicUrl }: Environment,
  currentPhase: () => Phase,
  readStatus: ReadStatus,
): void {
  const written = new Map<Language, { readonly status: ServiceStatus; readonly page: StaticPage }>()
  server.get('/status', async (request, reply) => {
    const words = await pageLanguage(request)
    if (currentPhase().phase === 'starting') return sendStartingPage(reply, words)
    const status = await readStatus()
    const known = written.get(words.language)
    const page = known?.status === status ? known.page : newPage(status, words, publicUrl())
    written.set(words.language, { status, page })
    return page.send(request, reply)
  })
}

function newPage(status: ServiceStatus, words: LoadedLanguage, publicUrl: string): StaticPage {
  const { translate } = words
  return new StaticPage(() => ({
    title: `${translate('page.status')} · ${translate('common.name')}`,
    description: translate('status.description'),
    body: statusBody(status, translate),
    words,
    address: `${publicUrl}/status`,
    style: STATUS_STYLE,
  }))
}
