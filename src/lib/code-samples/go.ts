import { partsOf, type SampleRequest, variablesOf } from './sample-request.ts'

const READ = {
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
export function goSample(request: SampleRequest): string {
  const { method, url, headers, body, answer } = request
  const packages = [
    ...(answer === 'lines' ? ['bufio'] : []),
    'fmt',
    ...(answer === 'lines' ? [] : ['io']),
    'net/http',
    ...(variablesOf(request).length > 0 ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ]
  const content = body === undefined ? 'nil' : `strings.NewReader(${quote(JSON.stringify(body))})`
  const show = answer === 'bytes' ? 'len(answer), "bytes"' : 'string(answer)'
  return `package main

import (
${packages.map((name) => `	"${name}"\n`).join('')})

func main() {
	request, err := http.NewRequest("${method}", ${quote(url)}, ${content})
	if err != nil {
		panic(err)
	}
${Object.entries(headers)
  .map(([name, value]) => `	request.Header.Set("${name}", ${quote(value)})\n`)
  .join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
${answer === 'lines' ? READ.lines : `${READ.body}	fmt.Println(response.Status, ${show})\n`}}`
}

/** Backquotes where the text has double quotes, as JSON does. */
function quote(text: string): string {
  return partsOf(text)
    .map((part) => {
      if ('variable' in part) return `os.Getenv("${part.variable}")`
      return part.text.includes('"') && !part.text.includes('`') ? `\`${part.text}\`` : JSON.stringify(part.text)
    })
    .join('+')
}
