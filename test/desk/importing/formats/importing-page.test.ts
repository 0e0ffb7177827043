import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { USAGE } from '../../../../src/cli/import-options.ts'
import {
  ACLED_ACTORS,
  ACLED_TYPES,
  GEO_PRECISION,
  TIME_PRECISION,
} from '../../../../src/desk/importing/formats/acled.ts'
import { FIELDS } from '../../../../src/desk/importing/formats/flat-rows.ts'
import {
  CLARITY,
  DATE_PRECISION,
  UCDP_COLUMNS,
  UCDP_TYPES,
  VIOLENCE,
  WHERE_PRECISION,
} from '../../../../src/desk/importing/formats/ucdp.ts'
import { ACTORS } from '../../../../src/desk/importing/formats/values.ts'
import { FORMATS } from '../../../../src/desk/importing/import.ts'
import { OUTCOMES } from '../../../../src/domain/import-report.ts'

const line = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
const table = (head: string[], rows: string[]): string =>
  [line(...head), `|${head.map(() => '---|').join('')}`, ...rows].join('\n')
const code = (text: string): string => `\`${text}\``

const BY_ACTORS = { clash: 'by the actors: clash', attack: 'by the actors: attack', loot: 'by the actors: loot' }

function verdict(verdict: string | null): string {
  if (verdict === null) return 'rejected: no incident'
  if (verdict === 'notes') return 'by the notes'
  if (verdict === 'demonstration') return '`riot` where actor1 begins with “Rioters”, else `protest`'
  return BY_ACTORS[verdict as keyof typeof BY_ACTORS] ?? code(verdict)
}

/** The tables of docs/importing.md, generated from the code. */
export const TABLES: Record<string, string> = {
  'kinds of actors': table(
    ['kind', 'words'],
    Object.entries(ACTORS).map(([actor, words]) => line(actor, words.join(', '))),
  ),
  'types of UCDP': table(
    ['type_of_violence', 'one side is', 'lost most', 'type'],
    UCDP_TYPES.map(({ violence, actor, lostMost, type }) =>
      line(`${violence}, ${VIOLENCE[violence]}`, actor ?? 'any', lostMost ?? 'any', code(type)),
    ),
  ),
  'places of UCDP': table(
    ['where_prec', 'means', 'precision', 'radius'],
    Object.entries(WHERE_PRECISION).map(([prec, { meaning, precision, radiusKm }]) =>
      line(prec, meaning, code(precision), `${radiusKm} km`),
    ),
  ),
  'times of UCDP': table(
    ['date_prec', 'time_precision'],
    Object.entries(DATE_PRECISION).map(([prec, precision]) => line(prec, code(precision))),
  ),
  'quality of UCDP': table(
    ['event_clarity', 'quality'],
    Object.entries(CLARITY).map(([clarity, quality]) => line(clarity, quality)),
  ),
  'columns of UCDP': Object.values(UCDP_COLUMNS)
    .filter(({ needed }) => needed)
    .map(({ names }) => names.map(code).join(' or '))
    .join(', '),
  'types of ACLED': table(
    ['event_type', 'sub_event_type', 'type'],
    Object.entries(ACLED_TYPES).flatMap(([event, subEvents]) =>
      Object.entries(subEvents).map(([subEvent, type]) => line(event, subEvent || '(none)', verdict(type))),
    ),
  ),
  'actors of ACLED': table(
    ['', ...Object.keys(ACLED_ACTORS)],
    [...Object.keys(ACTORS), '*'].map((actor) =>
      line(
        actor === '*' ? 'none of these' : actor,
        ...Object.values(ACLED_ACTORS).map((rules) => {
          const place = rules.findIndex(([kind]) => kind === actor)
          return place === -1 ? '' : `${place + 1}. ${code(rules[place]![1])}`
        }),
      ),
    ),
  ),
  'places of ACLED': table(
    ['geo_precision', 'precision', 'radius'],
    Object.entries(GEO_PRECISION).map(([prec, { precision, radiusKm }]) =>
      line(prec, code(precision), `${radiusKm} km`),
    ),
  ),
  'times of ACLED': table(
    ['time_precision', 'time_precision here'],
    Object.entries(TIME_PRECISION).map(([prec, precision]) => line(prec, code(precision))),
  ),
}

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
