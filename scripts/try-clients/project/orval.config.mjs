const input = './openapi.json'
// The list answers in four formats; orval would take the answer for a stream because of NDJSON.
const override = { contentType: { include: ['application/json', 'application/problem+json'] } }

export default {
  fetch: {
    input,
    output: {
      target: './generated/orval-fetch/feed.ts',
      client: 'fetch',
      mode: 'single',
      baseUrl: process.env.BASE_URL,
      override,
    },
  },
  zod: { input, output: { target: './generated/orval-zod/feed.ts', client: 'zod', mode: 'single', override } },
}
