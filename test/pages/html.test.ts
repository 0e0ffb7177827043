import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../src/pages/html.ts'

test('values in markup are escaped, nested markup is not', () => {
  assert.equal(
    html`<a title="${'"><b>'}">${html`<i>${"it's"}</i>`}${[1, '<']}${null}</a>`.text,
    '<a title="&quot;&gt;&lt;b&gt;"><i>it&#39;s</i>1&lt;</a>',
  )
})
