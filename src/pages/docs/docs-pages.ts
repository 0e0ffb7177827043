import type { FastifyInstance, FastifyRequest } from 'fastify'
import { queryOf } from '../../api/requests/parameters.ts'
import { CachedBody } from '../../api/responses/cached-body.ts'
import { sendBytes } from '../../api/responses/send.ts'
import type { Environment } from '../../api/services.ts'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../lib/code-samples.ts'
import { StaticPage } from '../page.ts'
import type { DocsPage } from './docs-page.ts'
import { frame } from './frame.ts'
import { guidePages } from './guides.ts'
import { HEAD_SCRIPT } from './head-script.ts'
import { overviewPage } from './overview.ts'
import { referencePages } from './reference/reference-pages.ts'
import { searchIndex } from './search-index.ts'
import { DOCS_STYLE } from './style.ts'

const INDEX_CACHING = { cacheControl: 'no-cache', vary: 'Accept-Encoding' }

/** Serves `/docs`: the guides and the reference in one frame, each page written once. */
export function docsPages(server: FastifyInstance, environment: Environment): void {
  const { config, mapAssets, publicUrl } = environment
  const guides = guidePages()
  const pages = [overviewPage(guides), ...guides, ...referencePages()]
  for (const page of pages) {
    const written = new Map<SampleLanguage, StaticPage>()
    server.get(page.path, (request, reply) => {
      const code = sampleLanguage(request)
      const one = written.get(code) ?? new StaticPage(() => write(page, code))
      written.set(code, one)
      return one.send(request, reply)
    })
  }

  function write(page: DocsPage, code: SampleLanguage) {
    return {
      title: `${page.title} · Incident Feed`,
      description: page.description,
      body: frame(page, pages, page.write({ config, publicUrl: publicUrl() })),
      style: DOCS_STYLE,
      // Both or neither: what needs the script is shown only if it will run.
      ...(mapAssets === null ? {} : { headScript: HEAD_SCRIPT, script: mapAssets.docs.script }),
      data: { code },
    }
  }

  let index: CachedBody | null = null
  server.get('/docs/search.json', (request, reply) => {
    index ??= new CachedBody(Buffer.from(JSON.stringify(searchIndex(guides, { config, publicUrl: publicUrl() }))))
    return sendBytes(request, reply, index, 'application/json; charset=utf-8', INDEX_CACHING)
  })
}

/** The language that the address chooses, for readers without scripts. */
function sampleLanguage(request: FastifyRequest): SampleLanguage {
  const codes = new URLSearchParams(queryOf(request)).getAll('code')
  const code = codes.length === 1 ? codes[0]! : null
  return SAMPLE_LANGUAGE_NAMES.find((name) => name === code) ?? 'curl'
}
