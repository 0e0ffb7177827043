import { type LiteralRules, literal } from './literal.ts'
import { partsOf, type SampleRequest } from './sample-request.ts'

const RULES: LiteralRules = {
  text: quote,
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : quote(name)}: `,
  object: ['{', '}'],
  list: ['[', ']'],
  words: ['true', 'false', 'null'],
  indent: '  ',
  padding: ' ',
}

const READ = {
  json: 'console.log(response.status, await response.json())',
  text: 'console.log(response.status, await response.text())',
  bytes: "console.log(response.status, (await response.arrayBuffer()).byteLength, 'bytes')",
  lines: `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(text)
}`,
}

/** For Node as an ES module, and for Deno and Bun, which have `process` too. */
export function javascriptSample({ method, url, headers, body, answer }: SampleRequest): string {
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${literal(headers, RULES, 1)}`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, RULES, 1)})`]),
  ]
  const options = members.length === 0 ? '' : `, {\n${members.map((member) => `  ${member},\n`).join('')}}`
  return `const response = await fetch(${quote(url)}${options})\n${READ[answer]}`
}

function quote(text: string): string {
  const parts = partsOf(text)
  const [only] = parts
  if (parts.length === 1 && only !== undefined && 'variable' in only) return `process.env.${only.variable}`
  if (!parts.some((part) => 'variable' in part)) return `'${escapeText(text).replaceAll("'", String.raw`\'`)}'`
  const inside = parts.map((part) =>
    'variable' in part ? `\${process.env.${part.variable}}` : escapeText(part.text).replaceAll(/[`$]/g, '\\$&'),
  )
  return `\`${inside.join('')}\``
}

function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"')
}
