import { type LiteralRules, literal } from './literal.ts'
import { partsOf, type SampleRequest } from './sample-request.ts'

const RULES: LiteralRules = {
  text: quote,
  key: (name) => `${quote(name)} => `,
  object: ['[', ']'],
  list: ['[', ']'],
  words: ['true', 'false', 'null'],
  indent: '    ',
  padding: '',
}

/** For PHP 7.4 and later without extensions. */
export function phpSample({ method, url, headers, body, answer }: SampleRequest): string {
  const isEmpty = body !== null && typeof body === 'object' && Object.keys(body).length === 0
  const members = [
    `'method' => '${method}'`,
    ...(Object.keys(headers).length > 0 ? [`'header' => ${literal(headerLines(headers), RULES, 1)}`] : []),
    // An empty array would be written as a list.
    ...(body === undefined ? [] : [`'content' => ${isEmpty ? "'{}'" : `json_encode(${literal(body, RULES, 1)})`}`]),
    "'ignore_errors' => true",
  ]
  return `<?php
$context = stream_context_create(['http' => [
${members.map((member) => `    ${member},\n`).join('')}]]);
${read(quote(url), answer)}`
}

function headerLines(headers: SampleRequest['headers']): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}

function read(url: string, answer: SampleRequest['answer']): string {
  if (answer === 'lines')
    return `$stream = fopen(${url}, 'r', false, $context);
while (($line = fgets($stream)) !== false) {
    echo $line;
}`
  const shown = answer === 'bytes' ? "strlen($answer), ' bytes'" : '$answer'
  return `$answer = file_get_contents(${url}, false, $context);
echo $http_response_header[0], "\\n", ${shown}, "\\n";`
}

function quote(text: string): string {
  return partsOf(text)
    .map((part) => ('variable' in part ? `getenv('${part.variable}')` : `'${part.text.replaceAll(/['\\]/g, '\\$&')}'`))
    .join(' . ')
}
