import { type LiteralRules, literal } from './literal.ts'
import { partsOf, type SampleRequest, variablesOf } from './sample-request.ts'

const RULES: LiteralRules = {
  text: quote,
  key: (name) => `${quote(name)}: `,
  object: ['{', '}'],
  list: ['[', ']'],
  words: ['True', 'False', 'None'],
  indent: '    ',
  padding: '',
}

const READ = {
  json: 'print(response.status, json.load(response))',
  text: 'print(response.status, response.read().decode())',
  bytes: 'print(response.status, len(response.read()), "bytes")',
  lines: 'for line in response:\n        print(line.decode(), end="", flush=True)',
}

/** For Python 3, with its standard library only. */
export function pythonSample(request: SampleRequest): string {
  const { method, url, headers, body, answer } = request
  const modules = [
    ...(answer === 'json' || body !== undefined ? ['json'] : []),
    ...(variablesOf(request).length > 0 ? ['os'] : []),
    'urllib.request',
  ]
  const lines = [
    quote(url),
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(Object.keys(headers).length > 0 ? [`headers=${literal(headers, RULES, 1)}`] : []),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, RULES, 1)}).encode()`]),
  ]
  return `import ${modules.join(', ')}

request = urllib.request.Request(
${lines.map((line) => `    ${line},\n`).join('')})
with urllib.request.urlopen(request) as response:
    ${READ[answer]}`
}

function quote(text: string): string {
  const parts = partsOf(text)
  if (!parts.some((part) => 'variable' in part)) return JSON.stringify(text)
  // Older versions of Python refuse a backslash and the same quotes inside an f-string.
  const isPlain = parts.length > 1 && parts.every((part) => 'variable' in part || !/["\\{}]/.test(part.text))
  if (isPlain) {
    const inside = parts.map((part) => ('variable' in part ? `{os.environ['${part.variable}']}` : part.text))
    return `f"${inside.join('')}"`
  }
  return parts
    .map((part) => ('variable' in part ? `os.environ["${part.variable}"]` : JSON.stringify(part.text)))
    .join(' + ')
}
