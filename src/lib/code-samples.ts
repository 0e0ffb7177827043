/**
 * Writes one HTTP request as code that runs as it is printed. Keys and ids are read from the
 * environment, so that a sample needs no editing and a test can run it.
 */

export type SampleMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A value as JSON has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A request to be shown as code. `$NAME` in its texts is a variable of the environment. */
export interface SampleRequest {
  readonly method: SampleMethod
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  /** Bytes are counted; lines are read as they arrive. */
  readonly answer: 'json' | 'text' | 'bytes' | 'lines'
}

/** The languages of the samples, by their names in addresses and in storage. */
export const SAMPLE_LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
} as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES
export const SAMPLE_LANGUAGE_NAMES = Object.keys(SAMPLE_LANGUAGES) as readonly SampleLanguage[]

export function writeSample(language: SampleLanguage, request: SampleRequest): string {
  return WRITERS[language](request)
}

const VARIABLE = /\$([A-Z][A-Z0-9_]*)/

/** The names of all variables of a request, in order, each once. */
export function variablesOf({ url, headers, body }: SampleRequest): readonly string[] {
  const texts = [url, ...Object.values(headers), JSON.stringify(body ?? null)]
  return [...new Set(texts.flatMap((text) => text.split(VARIABLE).filter((_, index) => index % 2 === 1)))]
}

/** Writes the parts of a text: those as they are, and the names of variables. */
function writeParts(text: string, plain: (text: string) => string, variable: (name: string) => string): string[] {
  const parts = text.split(VARIABLE).map((each, index) => ({ each, isPlain: index % 2 === 0 }))
  return parts
    .filter(({ each, isPlain }) => !isPlain || each !== '')
    .map(({ each, isPlain }) => (isPlain ? plain(each) : variable(each)))
}

/** Whether the text has variables, and nothing of the pattern beside them. */
function hasVariables(text: string, forbidden = /(?!)/): boolean {
  return VARIABLE.test(text) && !text.split(VARIABLE).some((each, index) => index % 2 === 0 && forbidden.test(each))
}

/** For a POSIX shell. */
function writeCurl({ method, url, headers, body, answer }: SampleRequest): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  const options = [answer === 'lines' ? '-N ' : '', isImplied ? '' : `-X ${method} `].join('')
  const lines = [
    `curl ${options}${quoteForShell(url)}`,
    ...(answer === 'bytes' ? ['-o answer.bin'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteForShell(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Double quotes around variables only, so that the shell reads nothing else. */
function quoteForShell(text: string): string {
  if (hasVariables(text, /["\\`$!]/)) return `"${text}"`
  const plain = (part: string) => `'${part.replaceAll("'", String.raw`'\''`)}'`
  return writeParts(text, plain, (name) => `"$${name}"`).join('')
}

const IN_JAVASCRIPT: LiteralRules = {
  text: quoteInJavascript,
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : quoteInJavascript(name)}: `,
  object: ['{', '}'],
  list: ['[', ']'],
  words: ['true', 'false', 'null'],
  indent: '  ',
  padding: ' ',
}

const READ_IN_JAVASCRIPT = {
  json: 'console.log(response.status, await response.json())',
  text: 'console.log(response.status, await response.text())',
  bytes: "console.log(response.status, (await response.arrayBuffer()).byteLength, 'bytes')",
  lines: `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(text)
}`,
}

/** For Node as an ES module, and for Deno and Bun, which have `process` too. */
function writeJavascript({ method, url, headers, body, answer }: SampleRequest): string {
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${literal(headers, IN_JAVASCRIPT, 1)}`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, IN_JAVASCRIPT, 1)})`]),
  ]
  const options = members.length === 0 ? '' : `, {\n${members.map((member) => `  ${member},\n`).join('')}}`
  return `const response = await fetch(${quoteInJavascript(url)}${options})\n${READ_IN_JAVASCRIPT[answer]}`
}

function quoteInJavascript(text: string): string {
  const only = /^\$([A-Z][A-Z0-9_]*)$/.exec(text)
  if (only) return `process.env.${only[1]}`
  if (!hasVariables(text)) return `'${escapeText(text).replaceAll("'", String.raw`\'`)}'`
  const plain = (part: string) => escapeText(part).replaceAll(/[`$]/g, '\\$&')
  return `\`${writeParts(text, plain, (name) => `\${process.env.${name}}`).join('')}\``
}

function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"')
}

const IN_PYTHON: LiteralRules = {
  text: quoteInPython,
  key: (name) => `${quoteInPython(name)}: `,
  object: ['{', '}'],
  list: ['[', ']'],
  words: ['True', 'False', 'None'],
  indent: '    ',
  padding: '',
}

const READ_IN_PYTHON = {
  json: 'print(response.status, json.load(response))',
  text: 'print(response.status, response.read().decode())',
  bytes: 'print(response.status, len(response.read()), "bytes")',
  lines: 'for line in response:\n        print(line.decode(), end="", flush=True)',
}

/** For Python 3, with its standard library only. */
function writePython(request: SampleRequest): string {
  const { method, url, headers, body, answer } = request
  const modules = [
    ...(answer === 'json' || body !== undefined ? ['json'] : []),
    ...(variablesOf(request).length > 0 ? ['os'] : []),
    'urllib.request',
  ]
  const lines = [
    quoteInPython(url),
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(Object.keys(headers).length > 0 ? [`headers=${literal(headers, IN_PYTHON, 1)}`] : []),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, IN_PYTHON, 1)}).encode()`]),
  ]
  return `import ${modules.join(', ')}

request = urllib.request.Request(
${lines.map((line) => `    ${line},\n`).join('')})
with urllib.request.urlopen(request) as response:
    ${READ_IN_PYTHON[answer]}`
}

function quoteInPython(text: string): string {
  if (!hasVariables(text)) return JSON.stringify(text)
  const isOne = writeParts(text, String, String).length === 1
  // Older versions of Python refuse a backslash and the same quotes inside an f-string.
  if (!isOne && hasVariables(text, /["\\{}]/))
    return `f"${writeParts(text, String, (name) => `{os.environ['${name}']}`).join('')}"`
  return writeParts(text, JSON.stringify, (name) => `os.environ["${name}"]`).join(' + ')
}

const IN_PHP: LiteralRules = {
  text: quoteInPhp,
  key: (name) => `${quoteInPhp(name)} => `,
  object: ['[', ']'],
  list: ['[', ']'],
  words: ['true', 'false', 'null'],
  indent: '    ',
  padding: '',
}

/** For PHP 7.4 and later without extensions. */
function writePhp({ method, url, headers, body, answer }: SampleRequest): string {
  const isEmpty = body !== null && typeof body === 'object' && Object.keys(body).length === 0
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const members = [
    `'method' => '${method}'`,
    ...(lines.length > 0 ? [`'header' => ${literal(lines, IN_PHP, 1)}`] : []),
    // An empty array would be written as a list.
    ...(body === undefined ? [] : [`'content' => ${isEmpty ? "'{}'" : `json_encode(${literal(body, IN_PHP, 1)})`}`]),
    "'ignore_errors' => true",
  ]
  return `<?php
$context = stream_context_create(['http' => [
${members.map((member) => `    ${member},\n`).join('')}]]);
${readInPhp(quoteInPhp(url), answer)}`
}

function readInPhp(url: string, answer: SampleRequest['answer']): string {
  if (answer === 'lines')
    return `$stream = fopen(${url}, 'r', false, $context);
while (($line = fgets($stream)) !== false) {
    echo $line;
}`
  const shown = answer === 'bytes' ? "strlen($answer), ' bytes'" : '$answer'
  return `$answer = file_get_contents(${url}, false, $context);
echo $http_response_header[0], "\\n", ${shown}, "\\n";`
}

function quoteInPhp(text: string): string {
  const plain = (part: string) => `'${part.replaceAll(/['\\]/g, '\\$&')}'`
  return writeParts(text, plain, (name) => `getenv('${name}')`).join(' . ')
}

const READ_IN_GO = {
  body: `	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
`,
  lines: `	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Println(lines.Text())
	}
`,
}

/** A whole program, with the standard library only. */
function writeGo(request: SampleRequest): string {
  const { method, url, headers, body, answer } = request
  const packages = [
    ...(answer === 'lines' ? ['bufio'] : []),
    'fmt',
    ...(answer === 'lines' ? [] : ['io']),
    'net/http',
    ...(variablesOf(request).length > 0 ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ]
  const content = body === undefined ? 'nil' : `strings.NewReader(${quoteInGo(JSON.stringify(body))})`
  const show = answer === 'bytes' ? 'len(answer), "bytes"' : 'string(answer)'
  return `package main

import (
${packages.map((name) => `	"${name}"\n`).join('')})

func main() {
	request, err := http.NewRequest("${method}", ${quoteInGo(url)}, ${content})
	if err != nil {
		panic(err)
	}
${Object.entries(headers)
  .map(([name, value]) => `	request.Header.Set("${name}", ${quoteInGo(value)})\n`)
  .join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
${answer === 'lines' ? READ_IN_GO.lines : `${READ_IN_GO.body}	fmt.Println(response.Status, ${show})\n`}}`
}

/** Backquotes where the text has double quotes, as JSON does. */
function quoteInGo(text: string): string {
  const plain = (part: string) => (part.includes('"') && !part.includes('`') ? `\`${part}\`` : JSON.stringify(part))
  return writeParts(text, plain, (name) => `os.Getenv("${name}")`).join('+')
}

/** The literals of a language. */
interface LiteralRules {
  readonly text: (text: string) => string
  readonly key: (name: string) => string
  readonly object: readonly [string, string]
  readonly list: readonly [string, string]
  readonly words: readonly [yes: string, no: string, none: string]
  readonly indent: string
  /** Spaces inside the braces of an object on one line. */
  readonly padding: '' | ' '
}

const LONGEST_LINE = 72

/** Writes a value as a literal: on one line if it fits, else one line for each member. */
function literal(value: Json, rules: LiteralRules, depth = 0): string {
  if (typeof value === 'string') return rules.text(value)
  if (typeof value === 'number') return String(value)
  if (value === null) return rules.words[2]
  if (typeof value === 'boolean') return rules.words[value ? 0 : 1]
  const isList = Array.isArray(value)
  const [open, close] = isList ? rules.list : rules.object
  const members = isList
    ? value.map((each) => literal(each as Json, rules, depth + 1))
    : Object.entries(value as { readonly [name: string]: Json }).map(
        ([name, each]) => rules.key(name) + literal(each, rules, depth + 1),
      )
  if (members.length === 0) return open + close
  const padding = isList ? '' : rules.padding
  const line = open + padding + members.join(', ') + padding + close
  if (line.length + depth * rules.indent.length <= LONGEST_LINE && !line.includes('\n')) return line
  const inner = rules.indent.repeat(depth + 1)
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${rules.indent.repeat(depth)}${close}`
}

const WRITERS: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: writeCurl,
  javascript: writeJavascript,
  python: writePython,
  php: writePhp,
  go: writeGo,
}
