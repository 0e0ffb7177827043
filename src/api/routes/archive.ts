import type { Archive } from '../../archive/archive.ts'
import { Problem } from '../../domain/errors.ts'
import { FILE_FORMATS, type FileFormat, type MonthEntry, MonthFiles } from '../../downloads/month-files.ts'
import { isOneOf } from '../../filter/parameter-values.ts'
import { LAYOUTS } from '../../formats/layouts.ts'
import { type Month, monthText, readMonth } from '../../lib/calendar.ts'
import { downloadMonth, listMonths } from '../contract/read/archive.ts'
import { RequestAsker } from '../requests/asker.ts'
import { stampedBody } from '../responses/meta.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import { sendFile } from '../responses/send-file.ts'
import type { Router } from '../router.ts'

/** Wait for missing hashes: enough for most archives, and every answer comes within a second. */
const HASH_TIMEOUT_MS = 800

export function archiveRoutes(router: Router): void {
  let opened: MonthFiles | null = null
  const filesOf = (archive: Archive): MonthFiles => {
    opened ??= new MonthFiles(archive)
    return opened
  }
  router.onClose(() => opened?.[Symbol.dispose]())

  router.add(listMonths, async ({ request, reply, services: { archive, freshness } }) => {
    const data = (await filesOf(archive).listMonths(HASH_TIMEOUT_MS)).map(monthResponse)
    const complete = data.every((month) => Object.values(month.files).every(({ sha256 }) => sha256 !== null))
    const body = stampedBody(`"data":${JSON.stringify(data)},"complete":${complete}`, archive, freshness.stamp)
    return sendBytes(request, reply, body, LAYOUTS.json.contentType)
  })

  router.add(downloadMonth, async ({ request, reply, parameters, services }) => {
    const { month, format } = parseFileName(parameters.file)
    const file = await filesOf(services.archive).openMonth(month, format)
    if (file === null) throw new Problem('not_found', `No incident was published in ${monthText(month)}.`)
    const name = `incidents-${monthText(month)}.${format}`
    return sendFile(request, reply, file, LAYOUTS[format].contentType, name, new RequestAsker(request, reply).subject)
  })
}

function monthResponse({ month, incidents, files }: MonthEntry) {
  const file = (format: FileFormat) => ({
    url: `${listMonths.path}/${monthText(month)}.${format}`,
    bytes: files[format]?.bytes ?? null,
    sha256: files[format]?.sha256 ?? null,
  })
  return {
    month: monthText(month),
    incidents,
    files: { ndjson: file('ndjson'), csv: file('csv'), geojson: file('geojson') },
  }
}

function parseFileName(name: string): { month: Month; format: FileFormat } {
  const [first = '', format = '', ...more] = name.split('.')
  const month = readMonth(first)
  if (month !== null && isOneOf(FILE_FORMATS, format) && more.length === 0) return { month, format }
  throw new Problem(
    'not_found',
    `File names consist of month and format, such as 2024-05.${FILE_FORMATS.join(', 2024-05.')}; GET ${listMonths.path} lists them.`,
  )
}
