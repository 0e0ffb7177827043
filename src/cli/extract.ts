import { ConfigError } from '../config/setting-kinds.ts'
import { MAX_STORY_LENGTH } from '../domain/story.ts'
import { parseTime, timeText } from '../lib/time.ts'
import { extract } from '../reading/extract.ts'
import { candidateText } from './candidate-text.ts'
import { parseOptions } from './parse-options.ts'

const USAGE = 'incident-feed extract [--title …] [--url …] [--published-at 2026-11-11] [--json] < story.txt'
/** No character has more bytes. */
const MAX_BYTES = MAX_STORY_LENGTH * 4

/** Prints the reports that the story on standard input contains. */
export async function extractCommand(args: readonly string[]): Promise<void> {
  const options = {
    title: { type: 'string' },
    url: { type: 'string' },
    'published-at': { type: 'string' },
    json: { type: 'boolean' },
  } as const
  const { values } = parseOptions({ args: [...args], options }, USAGE)
  const publishedAt = publicationTime(values['published-at'])
  const text = await readStandardInput()
  const candidates = extract({
    text,
    title: values.title ?? null,
    url: values.url ?? null,
    published_at: publishedAt,
  })
  if (values.json) console.log(JSON.stringify({ candidates }, null, 2))
  else if (candidates.length === 0) console.log('The story reports no incident.')
  else console.log(candidates.map(candidateText).join('\n\n'))
}

function publicationTime(written: string | undefined): string | null {
  if (written === undefined) return null
  const time = parseTime(written)
  if (time === null)
    throw new ConfigError(`--published-at must be an RFC 3339 time or a date, as 2026-11-11\n\n${USAGE}`)
  return timeText(time)
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BYTES) break
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (text.trim() === '') throw new ConfigError(`there is no story on standard input\n\n${USAGE}`)
  if (text.length > MAX_STORY_LENGTH) throw new ConfigError(`the story is longer than ${MAX_STORY_LENGTH} characters`)
  return text
}
