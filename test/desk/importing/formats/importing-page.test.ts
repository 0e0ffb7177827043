import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { USAGE } from '../../../../src/cli/import/options.ts'
import { FIELDS } from '../../../../src/desk/importing/formats/column-map.ts'
import { FORMATS } from '../../../../src/desk/importing/formats/formats.ts'
import { OUTCOMES } from '../../../../src/domain/import-report.ts'
import { TABLES } from './importing-page.ts'

const page = readFileSync(new URL('../../../../docs/importing.md', import.meta.url), 'utf8')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

suite('docs/importing.md agrees with the code', () => {
  for (const [name, text] of Object.entries(TABLES)) {
    test(name, () => assert.ok(oneLine(page).includes(oneLine(text)), `the page should have:\n${text}`))
  }

  test('every count and every option of the command is explained', () => {
    for (const outcome of OUTCOMES) assert.match(page, new RegExp(`^\\| \`${outcome}\` \\|`, 'm'))
    for (const [option] of USAGE.matchAll(/--[a-z-]+(?=[ …])/g)) {
      const setting = option.slice(2).replaceAll('-', '_').toUpperCase()
      assert.ok(page.includes(option) || page.includes(`\`${setting}\``), option)
    }
  })

  test('every format has its section, and every field is mentioned', () => {
    for (const format of Object.keys(FORMATS)) assert.match(page, new RegExp(`^## \`${format}\``, 'm'))
    for (const field of FIELDS) assert.ok(page.includes(`\`${field}\``), field)
  })
})
