export const LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
} as const
export type Language = keyof typeof LANGUAGES

/** The first request: small enough to read whole. */
export const FIRST_PATH = '/v1/incidents?limit=3'

const WRITERS: Readonly<Record<Language, (url: string, key: string) => string>> = {
  curl: (url, key) => `curl -H "Authorization: Bearer ${key}" \\
  "${url}"`,
  javascript: (url, key) => `const response = await fetch('${url}', {
  headers: { Authorization: 'Bearer ${key}' },
})
const { data } = await response.json()
for (const { occurred_at, state, lga, summary } of data) {
  console.log(occurred_at, state, lga, summary)
}`,
  python: (url, key) => `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}"},
)
with urllib.request.urlopen(request) as response:
    for incident in json.load(response)["data"]:
        print(incident["occurred_at"], incident["state"], incident["lga"], incident["summary"])`,
  php: (url, key) => `<?php
$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer ${key}',
]]);
$answer = json_decode(file_get_contents('${url}', false, $context), true);
foreach ($answer['data'] as $incident) {
    echo "{$incident['occurred_at']} {$incident['state']} {$incident['lga']} {$incident['summary']}\\n";
}`,
  go: (url, key) => `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func main() {
	request, err := http.NewRequest("GET", "${url}", nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer ${key}")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var answer struct {
		Data []struct {
			OccurredAt string \`json:"occurred_at"\`
			State      string \`json:"state"\`
			Summary    string \`json:"summary"\`
		} \`json:"data"\`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(err)
	}
	for _, incident := range answer.Data {
		fmt.Println(incident.OccurredAt, incident.State, incident.Summary)
	}
}`,
}

/** Writes the first request as a program that runs as printed. */
export function firstRequestIn(language: Language, origin: string, key: string): string {
  return WRITERS[language](origin + FIRST_PATH, key)
}
