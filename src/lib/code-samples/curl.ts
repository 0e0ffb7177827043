import { partsOf, type SampleRequest } from './sample-request.ts'

/** For a POSIX shell. */
export function curlSample({ method, url, headers, body, answer }: SampleRequest): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  const options = [answer === 'lines' ? '-N ' : '', isImplied ? '' : `-X ${method} `].join('')
  const lines = [
    `curl ${options}${quote(url)}`,
    ...(answer === 'bytes' ? ['-o answer.bin'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Double quotes around variables only, so that the shell reads nothing else. */
function quote(text: string): string {
  const parts = partsOf(text)
  const isSimple = parts.every((part) => 'variable' in part || !/["\\`$!]/.test(part.text))
  if (isSimple && parts.some((part) => 'variable' in part)) return `"${text}"`
  return parts
    .map((part) => ('variable' in part ? `"$${part.variable}"` : `'${part.text.replaceAll("'", String.raw`'\''`)}'`))
    .join('')
}
