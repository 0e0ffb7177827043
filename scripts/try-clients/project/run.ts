import { run as heyApi } from './hey-api.ts'
import { run as openapiFetch } from './openapi-fetch.ts'
import { run as orval } from './orval.ts'

const [baseUrl, key, hook] = process.argv.slice(2) as [string, string, string]
for (const [name, run] of Object.entries({ openapiFetch, heyApi, orval })) {
  await run({ baseUrl, key, hook })
  console.log(`${name}: lists, pages, creates a watch and reads an error`)
}
