import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOOLS } from '../../../src/api/assistants/tools.ts'
import { startTestApp } from '../../support/app.ts'

test('llms.txt names every tool, and each of its links leads somewhere', async () => {
  await using app = await startTestApp()
  const response = await app.get('/llms.txt', null)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  assert(text.length < 3000)
  for (const { name } of TOOLS) assert(text.includes(name), name)
  const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, url]) => url!)
  assert(links.length >= 4)
  for (const link of links) {
    const { status } = await fetch(link, { headers: { accept: 'text/html' } })
    assert.equal(status, link.endsWith('/mcp') ? 405 : 200, link)
  }
})
