import { createHash } from 'node:crypto'
import { NO_MAPPING } from '../src/desk/importing/formats/format.ts'
import { FORMATS, importFile } from '../src/desk/importing/import.ts'
import { reliabilityFrom } from '../src/domain/confidence.ts'
import { openGeography } from '../src/geo/geography.ts'
import { pick, type Random } from '../src/lib/random.ts'
import { StoreUnavailable } from '../src/store/store.ts'
import { askWithoutKey, clientAddress, guessKeys, useUpLimit } from './limits.ts'
import {
  type Account,
  admissionOf,
  type Channel,
  type DeskAnswer,
  type Filter,
  factsIn,
  Incident,
  type Key,
  KINDS,
  type Span,
  Violation,
  Watch,
} from './model.ts'
import { BEHAVIOURS, type Behaviour, LATE_ANSWER_MS } from './network.ts'
import { contestAddress, inviteWithLess, keyMakesKey, saveArea } from './rights.ts'
import { NAMES, OPERATOR_KEY, parsed, type Simulation } from './simulation.ts'
import { StreamClient } from './streams.ts'

/** Something that a person does, or that goes wrong. Its numbers choose whom it concerns. */
export interface Step {
  readonly day: number
  /** Milliseconds after the beginning of the day's work. */
  readonly at: number
  /**
   * A backup is made before the work of the day, and restored after it; or the database goes back
   * to the moment of the step after all others of its day.
   */
  readonly action: Action | 'restore backup' | 'lose end of database' | 'clock visits another time'
  /** From 0 up to, but not including, 1. */
  readonly chance: readonly [number, number, number]
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** In Lagos: an hour before the work of a day. */
const DIGEST_HOUR = 6
/** All nodes know what an account may after this long. */
const SETTLED_MS = 4000

const TOWNS = [
  ['Kaduna', 10.52, 7.44],
  ['Borno', 11.85, 13.16],
  ['Zamfara', 12.17, 6.66],
  ['Plateau', 9.92, 8.89],
  ['Benue', 7.73, 8.54],
  ['Katsina', 12.99, 7.6],
  ['Nasarawa', 8.49, 8.52],
  ['Niger', 9.62, 6.55],
  ['Sokoto', 13.06, 5.24],
  ['Yobe', 11.75, 11.96],
  ['Enugu', 6.45, 7.51],
  ['Lagos', 6.6, 3.35],
  ['Rivers', 4.82, 7.05],
  ['Edo', 6.34, 5.63],
  ['Kogi', 7.8, 6.74],
  ['Adamawa', 9.21, 12.48],
] as const
const TYPES = [
  ...['kidnapping', 'banditry', 'homicide', 'explosion', 'protest', 'communal_clash', 'armed_robbery'],
  ...['riot', 'piracy', 'cult_clash', 'mob_violence', 'assassination', 'cattle_rustling', 'insurgent_attack'],
]

/** Takes the next number from the three of a step, then goes on by itself. */
function chanceOf({ chance }: Step): Random {
  let used = 0
  let state = chance[0] + chance[1] * 7 + chance[2] * 49
  return () => {
    if (used < 3) return chance[used++]!
    state = (state * 16807.123 + 0.318) % 1
    return state
  }
}

/** A report, and what the service must make of it. */
function newReport(simulation: Simulation, random: Random) {
  const number = ++simulation.reported
  const [state, lat, lng] = pick(random, TOWNS)
  const killed = random() < 0.3 ? null : Math.floor(random() ** 3 * 40)
  const type = pick(random, TYPES)
  const at = simulation.world.now - random() * 3 * DAY
  return {
    type,
    occurred_at: new Date(Math.floor(at / 1000) * 1000).toISOString(),
    state,
    lat: Math.round((lat + random() * 0.03) * 1e4) / 1e4,
    lng: Math.round((lng + random() * 0.03) * 1e4) / 1e4,
    summary: `Report ${number} of an attack in which a man named Ojo${number}x was seen.`,
    sources: [{ url: `https://news.example.org/story-${number}`, publisher: 'Example Daily' }],
    casualties: { killed },
  }
}

type Report = ReturnType<typeof newReport>

/** A report is kept as it was sent. */
function checkReport(report: Report, { type, state, summary, casualties, occurred_at }: DeskAnswer): void {
  const kept = { type, state, summary, killed: casualties.killed, occurred_at: Date.parse(occurred_at) }
  const sent = { type: report.type, state: report.state, summary: report.summary, killed: report.casualties.killed }
  const expected = { ...sent, occurred_at: Date.parse(report.occurred_at) }
  if (JSON.stringify(kept) !== JSON.stringify(expected))
    throw new Violation(`a report was kept as ${JSON.stringify(kept)}; expected: ${JSON.stringify(expected)}`)
}

/** An incident on which nobody works, of one of these statuses; recent ones more often. */
function chooseIncident({ model }: Simulation, fraction: number, ...statuses: string[]): Incident | undefined {
  const { incidents } = model
  for (let tried = 0; tried < 40; tried++) {
    const back = Math.floor(((fraction * 997 + tried * 0.137) % 1) ** 4 * incidents.length)
    const incident = incidents[incidents.length - 1 - back]
    if (incident !== undefined && !incident.isBusy && statuses.includes(incident.status)) return incident
  }
  return undefined
}

/** Decides on an incident alone; what it was answered becomes what must be true. */
async function decide(
  simulation: Simulation,
  incident: Incident,
  path: string,
  body: unknown,
  then: (answer: DeskAnswer, span: Span) => void,
): Promise<string> {
  incident.isBusy = true
  try {
    const request = { method: 'POST', path: `/v1/desk/incidents/${incident.id}/${path}`, body }
    const { body: answer, span } = await simulation.demand<DeskAnswer>(200, request)
    incident.version = answer.version
    then(answer, span)
    return `${path} incident ${incident.number}`
  } finally {
    incident.isBusy = false
  }
}

function addIncident({ model }: Simulation, answer: DeskAnswer, span: Span): Incident {
  const incident = new Incident(answer.id, model.incidents.length + 1, factsIn(answer), span)
  incident.version = answer.version
  model.add(incident)
  return incident
}

async function publishMany(simulation: Simulation, random: Random, count: number): Promise<string> {
  const reports = Array.from({ length: count }, () => newReport(simulation, random))
  await publishReports(simulation, reports)
  return `publish ${count} incidents`
}

async function publishReports(simulation: Simulation, reports: readonly Report[]): Promise<Incident[]> {
  const { answer, span } = await simulation.ask({ method: 'POST', path: '/v1/reports', body: reports })
  const isForgotten = answer.status === 410 && answer.text.includes('answer_redacted')
  const taken = isForgotten
    ? await findReports(simulation, reports)
    : parsed<{ data: { incident?: DeskAnswer }[] }>(207, answer).data.map(({ incident }) => incident)
  const incidents = taken.map((incident, index) => {
    if (incident === undefined)
      throw new Violation(`a report was refused: ${JSON.stringify([reports[index], answer.text.slice(0, 2000)])}`)
    checkReport(reports[index]!, incident)
    return addIncident(simulation, incident, span)
  })
  for (const incident of incidents) incident.isBusy = true
  const confirmed = await simulation.ask({
    method: 'POST',
    path: '/v1/desk/bulk',
    body: { ids: incidents.map(({ id }) => id), move: 'confirm' },
  })
  const { data: results } = JSON.parse(confirmed.answer.text) as { data: { status: number }[] }
  for (const [index, { status }] of results.entries()) {
    const incident = incidents[index]!
    // Repeated after a lost answer, it finds what the first request did.
    if (status !== 200 && (status !== 409 || confirmed.tries === 1))
      throw new Violation(`confirming incident ${incident.number} with others was answered ${status}`)
    incident.decided('confirmed', incident.facts, 'incident.created', confirmed.span)
    incident.isBusy = false
  }
  return incidents
}

/** After a redaction, an answer that was lost is not told again: what was sent is in the list. */
async function findReports(simulation: Simulation, sent: readonly Report[]): Promise<(DeskAnswer | undefined)[]> {
  const found = new Map<string, DeskAnswer>()
  for (let cursor: string | null = ''; cursor !== null && !sent.every(({ summary }) => found.has(summary)); ) {
    const path: string = `/v1/reports?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { answer } = await simulation.ask({ method: 'GET', path })
    const page = parsed<{ data: DeskAnswer[]; next_cursor: string | null }>(200, answer)
    for (const report of page.data) found.set(report.summary, report)
    cursor = page.next_cursor
  }
  return sent.map(({ summary }) => found.get(summary))
}

/** So many were killed that it is severe. */
const SEVERE = 30

/** A report that a watch is for. */
function reportFor(simulation: Simulation, { state, type, near }: Filter, random: Random): Report {
  const isFor = ([name, lat, lng]: (typeof TOWNS)[number]) =>
    near === undefined ? (state?.includes(name) ?? true) : near[0] === lat && near[1] === lng
  const report = newReport(simulation, random)
  const [name, lat, lng] = TOWNS.find(isFor)!
  return { ...report, type: type?.[0] ?? report.type, state: name, lat, lng, casualties: { killed: SEVERE } }
}

async function publishFor(simulation: Simulation, { filter }: Watch, random: Random): Promise<Incident> {
  const report = reportFor(simulation, filter, random)
  const request = { method: 'POST', path: '/v1/reports', body: report }
  const { body, span } = await simulation.demand<DeskAnswer>(201, request)
  checkReport(report, body)
  const incident = addIncident(simulation, body, span)
  await confirm(simulation, incident)
  return incident
}

function confirm(simulation: Simulation, incident: Incident): Promise<string> {
  return decide(simulation, incident, 'confirm', {}, (answer, span) =>
    incident.decided('confirmed', factsIn(answer), 'incident.created', span),
  )
}

function retract(simulation: Simulation, incident: Incident): Promise<string> {
  return decide(simulation, incident, 'retract', {}, (_, span) =>
    incident.decided('retracted', incident.facts, 'incident.retracted', span),
  )
}

const geography = openGeography(null)
const COLUMNS = 'id,type,state,lat,lng,summary,killed,occurred_at,source_urls,source_publishers'
const NEVER = Number.POSITIVE_INFINITY

/** An operator imports a file of history with the command, again and again until it is through. */
async function importHistory(simulation: Simulation, random: Random, count: number): Promise<string> {
  const { model, world, database } = simulation
  const reports = Array.from({ length: count }, () => newReport(simulation, random))
  const asked = world.now
  for (const report of reports) {
    const { summary, type, state, lat, lng, occurred_at, casualties, sources } = report
    const occurredAt = occurred_at.replace('.000', '')
    const kept = { summary, killed: casualties.killed, occurredAt, sources: sources.map(({ url }) => url) }
    model.imports.set(summary, {
      facts: { type, severity: '', state, lat, lng, ...kept },
      span: { asked, answered: NEVER },
    })
  }
  const rows = reports.map(({ summary, type, state, lat, lng, occurred_at, casualties, sources }) =>
    [summary.slice(0, 12), type, state, lat, lng, `"${summary}"`, casualties.killed, occurred_at]
      .concat(sources.flatMap(({ url, publisher }) => [url, publisher]))
      .join(','),
  )
  const bytes = Buffer.from([COLUMNS, ...rows].join('\n'))
  for (let tries = 1; ; tries++) {
    try {
      await using store = await database.openStore()
      await importFile({
        format: FORMATS.csv,
        open: async function* (offset) {
          yield bytes.subarray(offset)
        },
        mapping: NO_MAPPING,
        replace: false,
        run: null,
        store,
        geography,
        reliability: reliabilityFrom(),
        clock: () => Math.floor(world.now),
        id: null,
        after: null,
        rejectedRows: null,
        signal: new AbortController().signal,
        pauses: [],
      })
      break
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === 100) throw error
      await simulation.sleep(3000)
    }
  }
  const span = { asked, answered: world.now }
  for (const { summary } of reports) model.imports.get(summary)!.span = span
  return `import ${count} incidents of a file`
}

const TOWNS_IN_THE_NEWS = [
  ['Maiduguri', 'Borno'],
  ['Gusau', 'Zamfara'],
  ['Jos', 'Plateau'],
  ['Makurdi', 'Benue'],
  ['Lafia', 'Nasarawa'],
  ['Minna', 'Niger'],
  ['Damaturu', 'Yobe'],
  ['Lokoja', 'Kogi'],
] as const
const MOST_KILLED = 900

/** A newspaper prints a story, or several do with the same words. */
export async function printStory(simulation: Simulation, step: Step): Promise<string> {
  const { model, network, world } = simulation
  const number = ++simulation.printed
  const [town, state] = pick(chanceOf(step), TOWNS_IN_THE_NEWS)
  // Of stories at the same time, no two have the same figure: they are no copies of each other.
  const killed = 1 + (number % MOST_KILLED)
  const name = `Ojo${number}n`
  const title = `Gunmen kill ${killed} in ${town}, ${state} State, says ${name}.`
  const text = `Gunmen on motorcycles killed ${killed} people in ${town}, ${state} State, yesterday, ${name}, a resident, said. The police confirmed the attack.`
  const isEverywhere = step.chance[2] < 0.3
  const papers = model.newspapers.filter((_, index) => isEverywhere || index === number % model.newspapers.length)
  if (papers.length === 0) return idle()
  const copies = papers.map((paper) => ({ paper, url: `${paper.feed}/story-${number}` }))
  // Every second one is dated at half past midnight in Lagos: the day before, in UTC.
  const at = number % 2 === 0 ? world.now : Math.floor(world.now / DAY) * DAY - HOUR / 2
  const dayBefore = new Date(at + HOUR - DAY).toISOString().slice(0, 10)
  for (const { paper, url } of copies) network.print(paper.feed, { url, title, text, at })
  model.print({ number, state, killed, title, dayBefore, printedAt: world.now, copies })
  return `${papers.length} newspapers print story ${number}`
}

async function addNewspaper(simulation: Simulation, { chance }: Step): Promise<string> {
  const { model, world } = simulation
  const number = Math.floor(chance[0] * 1e6)
  const feed = `https://paper${number}.example.org/feed`
  const body = { url: feed, publisher: `Paper ${number}`, every_minutes: 1 }
  const { body: made } = await simulation.demand<{ id: string }>(201, {
    method: 'POST',
    path: '/v1/admin/sources',
    body,
  })
  model.newspapers.push({ id: made.id, feed, healthySince: world.now })
  return `the feed of newspaper ${number} is added`
}

/** Two editors at two nodes, at the same moment: one of them succeeds. */
async function confirmTwice(simulation: Simulation, incident: Incident): Promise<string> {
  incident.isBusy = true
  const path = `/v1/desk/incidents/${incident.id}/confirm`
  const both = await Promise.all([0, 1].map(() => simulation.ask({ method: 'POST', path, body: {} })))
  incident.isBusy = false
  const done = both.filter(({ answer }) => answer.status === 200)
  if (done.length !== 1)
    throw new Violation(`two editors confirm incident ${incident.number}: ${both.map(({ answer }) => answer.status)}`)
  const answer = JSON.parse(done[0]!.answer.text) as DeskAnswer
  incident.version = answer.version
  incident.decided('confirmed', factsIn(answer), 'incident.created', spanOf(both.map(({ span }) => span)))
  return `confirm incident ${incident.number} twice at once`
}

function spanOf(spans: readonly Span[]): Span {
  return {
    asked: Math.min(...spans.map(({ asked }) => asked)),
    answered: Math.max(...spans.map(({ answered }) => answered)),
  }
}

/** A correction: only its author knows whether a lost answer was a success, and looks. */
async function correct(simulation: Simulation, incident: Incident, random: Random): Promise<string> {
  const isPublic = incident.isPublic
  incident.isBusy = true
  try {
    const killed = 41 + Math.floor(random() * 1000)
    const [state, lat, lng] = pick(random, TOWNS)
    const moved = random() < 0.3 ? { state, lat, lng } : {}
    const { answer, span, tries } = await simulation.ask({
      method: 'PATCH',
      path: `/v1/desk/incidents/${incident.id}`,
      headers: { 'if-match': `"${incident.version}"` },
      body: { casualties: { killed }, ...moved },
    })
    const found =
      tries > 1 && answer.status !== 200 ? await readDesk(simulation, incident) : parsed<DeskAnswer>(200, answer)
    if (found.casualties.killed !== killed)
      throw new Violation(`incident ${incident.number} was corrected to ${killed} killed: ${found.casualties.killed}`)
    incident.version = found.version
    const now = { asked: span.asked, answered: simulation.world.now }
    incident.decided(incident.status, factsIn(found), isPublic ? 'incident.updated' : null, now)
    return `correct incident ${incident.number}${'state' in moved ? ` and move it to ${state}` : ''}`
  } finally {
    incident.isBusy = false
  }
}

async function readDesk(simulation: Simulation, { id }: Incident): Promise<DeskAnswer> {
  return (await simulation.demand<DeskAnswer>(200, { method: 'GET', path: `/v1/desk/incidents/${id}` })).body
}

/** The one is retracted, and the one that remains has the sources of both. */
async function merge(simulation: Simulation, from: Incident, into: Incident): Promise<string> {
  into.isBusy = true
  const wasPublic = from.isPublic
  try {
    return await decide(simulation, from, 'merge', { into: into.id }, (answer, span) => {
      from.decided('merged', from.facts, wasPublic ? 'incident.retracted' : null, span)
      from.mergedInto = into
      into.absorbed.push(from)
      const sources = [...new Set([...from.facts.sources, ...into.facts.sources])].sort()
      const facts = factsIn(answer)
      if (facts.sources.join() !== sources.join())
        throw new Violation(`incident ${into.number} has the sources ${facts.sources}; expected: ${sources}`)
      into.decided(into.status, facts, into.isPublic ? 'incident.updated' : null, span)
      into.version = answer.version
    })
  } finally {
    into.isBusy = false
  }
}

async function redact(simulation: Simulation, incident: Incident): Promise<string> {
  const [word] = incident.facts.summary.match(NAMES) ?? []
  if (word === undefined) return 'nothing: the name was taken out before'
  incident.isBusy = true
  try {
    const { span } = await simulation.demand(200, {
      method: 'POST',
      path: `/v1/desk/incidents/${incident.id}/redact`,
      body: { words: [word], reason: 'The family asked for it.' },
    })
    const found = await readDesk(simulation, incident)
    incident.version = found.version
    const facts = { ...incident.facts, summary: incident.facts.summary.replace(word, '[redacted]') }
    if (found.summary !== facts.summary) throw new Violation(`after a redaction the summary is "${found.summary}"`)
    for (const one of incident.family) {
      const kind = one.isPublic ? 'incident.updated' : 'incident.retracted'
      one.decided(one.status, one === incident ? facts : one.facts, one.changes.length > 0 ? kind : null, span)
    }
    incident.redacted.push({ word, answered: span.answered })
    return `take "${word}" out of incident ${incident.number}`
  } finally {
    incident.isBusy = false
  }
}

const CHANNELS = ['webhook', 'webhook', 'webhook', 'slack', 'discord', 'teams', 'telegram', 'webpush', 'email'] as const

function newFilter(random: Random): Filter {
  const [state, lat, lng] = pick(random, TOWNS)
  const kind = random()
  const type = [pick(random, TYPES)]
  if (kind < 0.6) return { state: [state], type }
  if (kind < 0.8) return { state: [state, pick(random, TOWNS)[0]], type, min_severity: 'high' }
  return { near: [lat, lng], radius_km: 1 + random() * 3, type }
}

/** A webhook of an account, or one of the ways in which people are told. */
async function addWatch(simulation: Simulation, account: Account, random: Random): Promise<string> {
  const key = usableKey(simulation, account)
  if (key === undefined) return 'nothing: the account has no key'
  const number = ++simulation.watched
  const channel: Channel = pick(random, CHANNELS)
  const filter = newFilter(random)
  const isDaily = channel !== 'webhook' && random() < 0.2
  const events = channel !== 'webhook' || random() < 0.8 ? KINDS : [KINDS[0]]
  const address = addressOf(channel, number, account)
  const watch = new Watch({ number, channel, address, account, events, isDaily })
  return createWatch(simulation, watch, filter, key)
}

/** It counts from the moment at which its owner was answered. */
async function createWatch(simulation: Simulation, watch: Watch, filter: Filter, key: Key): Promise<string> {
  const { model, network } = simulation
  const { number, channel, address, events, isDaily } = watch
  const account = watch.account!
  const target = {
    webhook: {},
    email: { channel: { kind: channel } },
    slack: { channel: { kind: channel, url: address } },
    discord: { channel: { kind: channel, url: address } },
    teams: { channel: { kind: channel, url: address } },
    telegram: { channel: { kind: channel, chat_id: String(1000 + number) } },
    webpush: { channel: { kind: channel, subscription: channel === 'webpush' && network.openBrowser(address) } },
  }[channel]
  const body = {
    name: `w${number}`,
    filter,
    events,
    ...(channel === 'webhook' ? { url: address } : target),
    ...(isDaily ? { digest: { every: 'daily', hour: DIGEST_HOUR } } : {}),
  }
  model.addWatch(watch)
  let asked = await simulation.ask({ method: 'POST', path: '/v1/watches', body }, key.text)
  if (channel === 'telegram' && asked.answer.status !== 201) {
    const [code] =
      /\b[A-Z0-9]{6,20}\b/.exec(network.received.findLast(({ address: to }) => to === address)?.text ?? '') ?? []
    const withCode = { ...body, channel: { kind: channel, chat_id: String(1000 + number), code } }
    asked = await simulation.ask({ method: 'POST', path: '/v1/watches', body: withCode }, key.text)
  }
  const { answer, span } = asked
  if (answer.status !== 201) {
    watch.isRemoved = true
    if (account.status === 'active' && span.asked > account.changed.answered)
      throw new Violation(`a watch by ${channel} was refused: ${answer.status} ${answer.text.slice(0, 300)}`)
    return `no ${channel} for account ${account.number}: ${answer.status}`
  }
  const made = JSON.parse(answer.text) as { id: string; secret: string | null }
  watch.id = made.id
  if (made.secret !== null) watch.secrets = [made.secret]
  watch.became(true, filter, span)
  return `account ${account.number} adds ${watch.name} ${JSON.stringify(filter)}${isDaily ? ', daily' : ''}`
}

function addressOf(channel: Channel, number: number, account: Account): string {
  switch (channel) {
    case 'webhook':
      return `https://hook${number}.example.org/in`
    case 'slack':
      return `https://hooks.slack.com/services/T${number}/B1/x`
    case 'discord':
      return `https://discord.com/api/webhooks/${number}/x`
    case 'teams':
      return `https://w${number}.api.powerplatform.com/workflows/x/triggers/manual/paths/invoke`
    case 'telegram':
      return `telegram:${1000 + number}`
    case 'webpush':
      return `https://fcm.googleapis.com/fcm/send/${number}`
    case 'email':
      return `mailto:${account.email}`
  }
}

function usableKey({ world }: Simulation, { keys, status, changed }: Account): Key | undefined {
  if (status !== 'active' || changed.answered > world.now) return undefined
  return keys.find(({ revoked, expiresAt, scopes }) => {
    return revoked === null && scopes.includes('watch') && (expiresAt ?? Infinity) > world.now + HOUR
  })
}

function reportingKey({ world }: Simulation, { keys }: Account): Key | undefined {
  return keys.find((key) => admissionOf(key, 'report', world.now + HOUR) === 200)
}

/** A watch that nobody changes at the moment. */
function chooseWatch(
  { model, world }: Simulation,
  fraction: number,
  fits: (watch: Watch) => boolean,
): Watch | undefined {
  const isFree = (watch: Watch) =>
    !watch.isRemoved && !watch.isBusy && watch.id !== '' && watch.periods.at(-1)!.answered <= world.now
  const fitting = model.watches.filter((watch) => isFree(watch) && fits(watch))
  return fitting[Math.floor(fraction * fitting.length)]
}

async function changeWatch(simulation: Simulation, watch: Watch, change: object, what: string, isActive: boolean) {
  const key = usableKey(simulation, watch.account!)
  if (key === undefined) return `nothing: the owner of ${watch.name} has no key`
  const { filter = watch.filter } = change as { filter?: Filter }
  const path = `/v1/watches/${watch.id}`
  // Nobody knows yet when it counts: it may at any moment from now on.
  const index = watch.periods.length
  watch.goneAt = null
  watch.changedAt = Number.POSITIVE_INFINITY
  watch.became(isActive, filter, { asked: simulation.world.now, answered: Number.POSITIVE_INFINITY })
  const { span } = await simulation.demand(200, { method: 'PATCH', path, body: change }, key.text)
  watch.periods[index] = { isActive, filter, ...span }
  watch.changedAt = span.answered
  return `${what} ${watch.name}`
}

/** Blocked meanwhile, nobody could say whether the watch is what it was. */
function isChangingWatch({ model }: Simulation, account: Account): boolean {
  return model.watches.some((watch) => watch.account === account && watch.changedAt === Number.POSITIVE_INFINITY)
}

async function removeWatch(simulation: Simulation, watch: Watch): Promise<string> {
  const key = usableKey(simulation, watch.account!)
  if (key === undefined) return idle()
  watch.became(false, watch.filter, { asked: simulation.world.now, answered: Number.POSITIVE_INFINITY })
  watch.isRemoved = true
  watch.changedAt = Number.POSITIVE_INFINITY
  const { answer, span } = await simulation.ask({ method: 'DELETE', path: `/v1/watches/${watch.id}` }, key.text)
  // A second try finds that the first has removed it.
  if (answer.status !== 204 && answer.status !== 404)
    throw new Violation(`removing a watch was answered ${answer.status}`)
  watch.periods[watch.periods.length - 1] = { isActive: false, filter: watch.filter, ...span }
  watch.changedAt = span.answered
  return `remove ${watch.name}`
}

const SHARED_HOST_EVENTS = 16
/** Of a message to an endpoint that answers, while others at its host hang. */
const PROMPT_MS = 5000

/** Two accounts have endpoints at one host; those of the one hang, and the other does not wait. */
async function shareHost(simulation: Simulation, random: Random): Promise<string> {
  const { network, world } = simulation
  const isSettled = ({ status, changed }: Account) => status === 'active' && changed.answered + SETTLED_MS < world.now
  const first = simulation.accountOf(
    random(),
    (account) => isSettled(account) && usableKey(simulation, account) !== undefined,
  )
  const isOther = (account: Account) =>
    account !== first && isSettled(account) && usableKey(simulation, account) !== undefined
  const other = simulation.accountOf(random(), isOther)
  if (first === undefined || other === undefined) return idle()
  const [state] = pick(random, TOWNS)
  const filter = { state: [state], type: [pick(random, TYPES)] }
  const host = `https://shared${++simulation.watched}.example.org`
  const watches: Watch[] = []
  for (const [index, account] of [other, first, first].entries()) {
    const fields = { number: ++simulation.watched, channel: 'webhook', address: `${host}/${index}`, account } as const
    const watch = new Watch({ ...fields, events: KINDS, isDaily: false })
    watch.isBusy = true
    await createWatch(simulation, watch, filter, usableKey(simulation, account)!)
    if (watch.id !== '') watches.push(watch)
  }
  const [waiting, ...hanging] = watches
  const took = (incident: Incident, since: number) => (watch: Watch) =>
    network.find(watch.address, since, incident.id)?.isTaken === true
  if (waiting !== undefined && hanging.length === 2) {
    const began = world.now
    const known = await publishFor(simulation, waiting, random)
    const isKnown = await simulation.waitFor(() => watches.every(took(known, began)), PROMPT_MS)
    for (const { address } of hanging) network.setBehaviour(address, 'hangs')
    for (const watch of hanging) watch.healthySince = NEVER
    const reports = Array.from({ length: SHARED_HOST_EVENTS }, () => reportFor(simulation, filter, random))
    const published = await publishReports(simulation, reports)
    const isPrompt = await simulation.waitFor(
      () => published.every((incident) => took(incident, began)(waiting)),
      PROMPT_MS,
    )
    const isCalm = simulation.calmSince < began && waiting.periods.length === 1 && other.changed.answered < began
    const isTrue = published.every(({ status }) => status === 'confirmed')
    if (isKnown && isCalm && isTrue && !isPrompt)
      throw new Violation(`${waiting.name} waits for endpoints of another account that hang at its host`)
    for (const { address } of hanging) network.setBehaviour(address, 'answers')
    for (const watch of hanging) watch.healthySince = world.now
  }
  for (const watch of watches) {
    await removeWatch(simulation, watch)
    watch.isBusy = false
  }
  return `accounts ${first.number} and ${other.number} share a host`
}

/** Opens an account for a person, who follows the mailed link; an admin gives out its keys. */
async function addAccount(simulation: Simulation, random: Random): Promise<string> {
  const { model, network } = simulation
  const number = ++simulation.invited
  const email = `person${number}@example.org`
  const role = pick(random, ['client', 'client', 'client', 'reporter', 'editor', 'admin'] as const)
  const body = { email, name: `Person ${number}`, role }
  const { answer, span, tries } = await simulation.ask({ method: 'POST', path: '/v1/admin/accounts', body })
  // Repeated after a lost answer, it finds the account that the first request has opened.
  if (answer.status !== 201 && (answer.status !== 409 || tries === 1))
    throw new Violation(`inviting account ${number} was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  const [id] = /acc_[0-9a-z]{26}/.exec(answer.text)!
  const account: Account = {
    number,
    id,
    email,
    role,
    status: 'active',
    keys: [],
    areas: [],
    sites: [],
    reports: [],
    changed: span,
  }
  model.accounts.push(account)
  const mail = () => network.mails.find(({ to }) => to === email)
  for (let waited = 0; mail() === undefined && waited < 60; waited++) await simulation.sleep(1000)
  const [, token] = /sign-in\?token=([\w-]+)/.exec(mail()?.text ?? '') ?? []
  if (token === undefined) return `invite account ${number}, whose mail was lost`
  const signedIn = await simulation.ask({ method: 'POST', path: '/v1/sessions', body: { token } }, null)
  if (account.changed.answered > signedIn.span.asked || account.status !== 'active')
    return `invite account ${number}, which changes before it is used`
  // It signs in once: repeated after a lost answer, it was used.
  if (signedIn.answer.status !== 410 || signedIn.tries === 1) parsed(201, signedIn.answer, 'a sign-in')
  await addKey(simulation, account, random)
  return `invite account ${number}, ${role}`
}

async function addKey(simulation: Simulation, account: Account, random: Random): Promise<string> {
  const scopes = { client: 2, reporter: 3, editor: 4, admin: 5 }[account.role]
  const all = ['read', 'watch', 'report', 'review', 'admin'].slice(0, scopes)
  const chosen = account.keys.length === 0 ? all : all.filter(() => random() < 0.6)
  const expiresAt =
    account.keys.length === 0 || random() < 0.5 ? null : Math.floor(simulation.world.now / 1000) * 1000 + 90 * DAY
  const { answer, span } = await simulation.ask({
    method: 'POST',
    path: `/v1/admin/accounts/${account.id}/keys`,
    body: {
      name: 'a key',
      scopes: chosen.length === 0 ? ['read'] : chosen,
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    },
  })
  if (answer.status !== 201) {
    if (span.asked > account.changed.answered && account.status === 'active' && account.keys.length < 15)
      throw new Violation(`a key was refused: ${answer.status} ${answer.text.slice(0, 300)}`)
    return `no key for account ${account.number}: ${answer.status}`
  }
  const { id, key } = JSON.parse(answer.text) as { id: string; key: string }
  account.keys.push({
    id,
    text: key,
    account,
    scopes: chosen.length === 0 ? ['read'] : chosen,
    expiresAt,
    revoked: null,
  })
  return `a key for account ${account.number}`
}

/** Blocking, deleting or demoting: what it may do afterwards is known once it was answered. */
async function changeAccount(
  simulation: Simulation,
  account: Account,
  change: Partial<Pick<Account, 'role' | 'status'>>,
) {
  const path = `/v1/admin/accounts/${account.id}`
  const before = simulation.world.now
  const isPausing = change.status !== undefined && change.status !== account.status
  const isBlocking = change.status === 'blocked'
  const openWatches = () =>
    simulation.model.watches.filter(
      ({ account: owner, isRemoved, isActive, isBlocked, id }) =>
        owner === account && !isRemoved && id !== '' && (isBlocking ? isActive : isBlocked),
    )
  const open = isPausing ? openWatches() : []
  for (const watch of open) {
    watch.isBlocked = isBlocking
    watch.became(!isBlocking, watch.filter, { asked: before, answered: Infinity })
  }
  account.changed = { asked: before, answered: Infinity }
  const { answer, span } = await simulation.ask({ method: 'PATCH', path, body: change })
  if (answer.status !== 200)
    throw new Violation(`${JSON.stringify(change)} was answered ${answer.status}: ${answer.text}`)
  for (const watch of open) watch.periods[watch.periods.length - 1] = { ...watch.periods.at(-1)!, ...span }
  // Also watches that were added meanwhile: a blocked account adds none.
  for (const watch of isPausing && isBlocking ? openWatches() : []) {
    watch.isBlocked = true
    watch.became(false, watch.filter, span)
  }
  Object.assign(account, change, { changed: span })
  return `account ${account.number} becomes ${Object.values(change)}`
}

/** A stranger asks for mails of an area, opens the link in the first, and then gets them. */
function askForAlert(simulation: Simulation, random: Random): Promise<string> {
  return startAlert(simulation, `stranger${simulation.watched + 1}@example.org`, newFilter(random))
}

async function startAlert(simulation: Simulation, to: string, filter: Filter): Promise<string> {
  const { model, network } = simulation
  const number = ++simulation.watched
  const requested = simulation.world.now
  const watch = new Watch({
    number,
    channel: 'email',
    address: `mailto:${to}`,
    account: null,
    events: KINDS,
    isDaily: false,
  })
  model.addWatch(watch)
  const asking = { method: 'POST', path: '/v1/alerts', body: { email: to, filter }, from: clientAddress(number) }
  await simulation.demand(202, asking, null)
  const mail = () => network.mails.findLast((each) => each.to === to && each.at >= requested)
  for (let waited = 0; mail() === undefined && waited < 60; waited++) await simulation.sleep(1000)
  const [, token] = /\/alerts\/confirm\/([\w-]+)/.exec(mail()?.text ?? '') ?? []
  if (token === undefined) {
    watch.isRemoved = true
    return `${watch.name} is asked for, and its mail lost`
  }
  const asked = simulation.world.now
  watch.became(true, filter, { asked, answered: Number.POSITIVE_INFINITY })
  const span = await openLink(simulation, `/alerts/confirm/${token}`)
  watch.periods[0] = { isActive: true, filter, ...span }
  watch.id = `alert ${number}`
  watch.link = `/alerts/${token}`
  return `a stranger starts ${watch.name} ${JSON.stringify(filter)}`
}

async function openLink(simulation: Simulation, path: string, expected = [200, 410, 404]): Promise<Span> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { answer, span } = await simulation.ask({ method: 'POST', path, headers }, null)
  if (!expected.includes(answer.status))
    throw new Violation(`POST ${path} was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  return span
}

/** The link in every mail ends them: at once, without a question. */
async function endAlert(simulation: Simulation, watch: Watch): Promise<string> {
  const other = simulation.model.watches.find(({ link, address }) => link !== null && address !== watch.address)
  if (other !== undefined) {
    // Numbers of alerts are no secret: without the key in its own mails nobody ends one.
    const stolen = watch.link!.slice(0, -LINK_KEY_LENGTH) + other.link!.slice(-LINK_KEY_LENGTH)
    await openLink(simulation, stolen, [404])
  }
  await endAlerts(simulation, [watch], watch.link!)
  return `a stranger ends ${watch.name}`
}

const LINK_KEY_LENGTH = 24

async function endAlerts(simulation: Simulation, watches: readonly Watch[], path: string): Promise<void> {
  for (const watch of watches) {
    watch.became(false, watch.filter, { asked: simulation.world.now, answered: Number.POSITIVE_INFINITY })
    watch.isRemoved = true
  }
  const span = await openLink(simulation, path)
  for (const watch of watches) {
    watch.periods[watch.periods.length - 1] = { isActive: false, filter: watch.filter, ...span }
    await simulation.demandPage(404, watch.link!)
  }
}

/** A stranger has alerts for two areas that overlap, and ends both by the link of one mail. */
async function endTogether(simulation: Simulation, watch: Watch, random: Random): Promise<string> {
  const { model, network, world } = simulation
  const { filter, address } = watch
  const [further] = TOWNS.find(([name]) => filter.state?.includes(name) !== true)!
  const wider =
    filter.state === undefined
      ? { ...filter, radius_km: filter.radius_km! + 1 }
      : { ...filter, state: [...filter.state, further] }
  const asked = await startAlert(simulation, address.replace('mailto:', ''), wider)
  const second = model.watches.findLast((each) => each.address === address)!
  if (second === watch || second.isRemoved) return asked
  second.isBusy = true
  try {
    const began = world.now
    const incident = await publishFor(simulation, watch, random)
    const mail = () => network.find(address, began, incident.id)
    await simulation.waitFor(() => mail() !== undefined, SOON_MS)
    const [path] = /\/alerts\/[\w-]+\?and=[\w.-]+$/.exec(mail()?.text ?? '') ?? []
    if (path === undefined) return `${asked}; no mail is for both`
    await endAlerts(simulation, [watch, second], path)
    return `${asked}; a stranger ends both alerts`
  } finally {
    second.isBusy = false
  }
}

const TIP_CONTACT = '0803 555 0142'

/** Somebody without a key tells the desk what he saw, and how to reach him. */
async function sendTip(simulation: Simulation, random: Random): Promise<string> {
  const { model, world } = simulation
  const { type, occurred_at, state, lat, lng, summary: text } = newReport(simulation, random)
  const asked = world.now
  const { body: challenge } = await simulation.demand<{ challenge: string; seed: string; puzzles: number }>(
    200,
    { method: 'GET', path: '/v1/tips/challenge' },
    null,
  )
  const solutions = Array.from({ length: challenge.puzzles }, (_, puzzle) => solve(`${challenge.seed}.${puzzle}`))
  const proof = { challenge: challenge.challenge, solutions }
  const body = { text, type, occurred_at, state, lat, lng, contact: TIP_CONTACT, proof }
  const { span } = await simulation.demand(201, { method: 'POST', path: '/v1/tips', body }, null)
  const [name] = text.match(NAMES)!
  const path = `/v1/desk/incidents?origin=tip&duplicates=none&q=${name}`
  let found: DeskAnswer | undefined
  for (let tries = 0; found === undefined && tries < 20; tries++) {
    await simulation.sleep(500)
    const { body: page } = await simulation.demand<{ data: DeskAnswer[] }>(200, { method: 'GET', path })
    found = page.data[0]
  }
  if (found === undefined) throw new Violation(`a tip was taken, and is not in the queue: ${text}`)
  const incident = addIncident(simulation, found, { asked, answered: span.answered })
  const tips = await simulation.demand<{ data: { contact: string | null }[] }>(200, {
    method: 'GET',
    path: `/v1/desk/incidents/${found.id}/tips`,
  })
  if (tips.body.data[0]?.contact !== TIP_CONTACT)
    throw new Violation(`whoever sent the tip of incident ${incident.number} cannot be reached`)
  model.tips.push(span)
  return `a tip becomes incident ${incident.number}`
}

/** The proof of work of a tip, with one zero bit. */
function solve(puzzle: string): number {
  for (let solution = 0; ; solution++)
    if (createHash('sha256').update(`${puzzle}.${solution}`).digest()[0]! < 128) return solution
}

/** An impatient program repeats a report at all nodes before it has an answer. */
async function reportEverywhere(simulation: Simulation, random: Random): Promise<string> {
  const report = newReport(simulation, random)
  const headers = { 'idempotency-key': `report-${simulation.reported}` }
  const request = { method: 'POST', path: '/v1/reports', body: report, headers }
  const asked = simulation.readyNodes.map((node) => simulation.askOnce(node, { ...request, key: OPERATOR_KEY }))
  const answers = await Promise.all(asked)
  const { body, span } = await simulation.demand<DeskAnswer>(201, request)
  checkReport(report, body)
  const ids = answers.flatMap((answer) => (answer?.status === 201 ? [(JSON.parse(answer.text) as DeskAnswer).id] : []))
  if (ids.some((id) => id !== body.id)) throw new Violation(`one report became ${[body.id, ...ids].join(', ')}`)
  return `report incident ${addIncident(simulation, body, span).number} at all nodes`
}

/** Takes back a merge, unless one of the two was changed since. */
async function unmerge(simulation: Simulation, incident: Incident): Promise<string> {
  const into = incident.mergedInto!
  if (into.isBusy || into.status !== 'confirmed') return idle()
  into.isBusy = true
  incident.isBusy = true
  try {
    const path = `/v1/desk/incidents/${incident.id}/unmerge`
    const { answer, span } = await simulation.ask({ method: 'POST', path, body: {} })
    // One of them was changed since.
    if (answer.status === 409) return `incident ${incident.number} stays merged`
    const restored = parsed<DeskAnswer>(200, answer)
    const wasPublic = incident.versions.some(({ isPublic }) => isPublic)
    incident.mergedInto = null
    into.absorbed.splice(into.absorbed.indexOf(incident), 1)
    incident.version = restored.version
    incident.decided(restored.status, factsIn(restored), wasPublic ? 'incident.updated' : null, span)
    const left = await readDesk(simulation, into)
    into.version = left.version
    into.decided(into.status, factsIn(left), 'incident.updated', span)
    return `unmerge incident ${incident.number} from incident ${into.number}`
  } finally {
    into.isBusy = false
    incident.isBusy = false
  }
}

/** The owner asks for everything that failed or was missed. */
async function recover(simulation: Simulation, watch: Watch): Promise<string> {
  const key = usableKey(simulation, watch.account!)
  if (key === undefined) return idle()
  const path = `/v1/watches/${watch.id}/recover`
  const before = simulation.world.now
  watch.changedAt = Number.POSITIVE_INFINITY
  const { span } = await simulation.demand(200, { method: 'POST', path, body: { since: '10d' } }, key.text)
  watch.changedAt = span.answered
  simulation.recovered(watch, before - 10 * DAY)
  return `recover ${watch.name}`
}

/** All that is pending at a watch comes this soon after its owner has resumed it, and asked. */
const SOON_MS = 20_000
/** Longer than the first pause between attempts. */
const PAUSED_MS = 8000

/**
 * A message cannot be delivered: the owner pauses the watch until its endpoint is repaired. It
 * comes when the watch is resumed, and what was published meanwhile when the owner asks for it.
 */
async function repair(simulation: Simulation, watch: Watch, random: Random): Promise<string> {
  const { network, world } = simulation
  const { address, filter } = watch
  const began = world.now
  network.setBehaviour(address, 'fails')
  watch.healthySince = NEVER
  const pending = await publishFor(simulation, watch, random)
  const hasFailed = await simulation.waitFor(() => network.find(address, began, pending.id) !== undefined, 5000)
  await changeWatch(simulation, watch, { status: 'paused' }, 'pause', false)
  const missed = await publishFor(simulation, watch, random)
  await simulation.sleep(PAUSED_MS)
  network.setBehaviour(address, 'answers')
  watch.healthySince = world.now
  await changeWatch(simulation, watch, { status: 'active' }, 'resume', true)
  const changes = watch.periods.length
  const comes = async (incident: Incident) => {
    const hasCome = () => network.find(address, began, incident.id)?.isTaken === true
    const isSure = () => {
      const { account, periods } = watch
      const isChanged = periods.length !== changes || account!.changed.answered > began || watch.filter !== filter
      return !isChanged && simulation.calmSince < began && incident.status === 'confirmed'
    }
    if ((await simulation.waitFor(hasCome, SOON_MS)) || !isSure()) return
    throw new Violation(`${watch.name} was resumed, and not sent incident ${incident.number} within ${SOON_MS} ms`)
  }
  if (hasFailed) await comes(pending)
  await recover(simulation, watch)
  await comes(missed)
  return `the endpoint of ${watch.name} is repaired while it is paused`
}

/** The owner gives a new address while the one before is about to say that it is gone. */
async function moveEndpoint(simulation: Simulation, watch: Watch, random: Random): Promise<string> {
  const { network, world, model } = simulation
  const [began, before] = [world.now, watch.address]
  network.setBehaviour(before, 'says late that it is gone')
  watch.healthySince = NEVER
  const incident = await publishFor(simulation, watch, random)
  const isAsked = await simulation.waitFor(() => network.find(before, began, incident.id) !== undefined, 3000)
  const after = `https://moved${++simulation.watched}.example.org/in`
  model.moveWatch(watch, after)
  await changeWatch(simulation, watch, { url: after, status: 'active' }, 'move', true)
  watch.healthySince = world.now
  const changes = watch.periods.length
  await simulation.sleep(LATE_ANSWER_MS + SETTLED_MS)
  network.setBehaviour(before, 'answers')
  const key = usableKey(simulation, watch.account!)
  if (key === undefined || watch.periods.length !== changes) return `${watch.name} moves, and its owner changes`
  const path = `/v1/watches/${watch.id}`
  const { answer } = await simulation.ask({ method: 'GET', path }, key.text)
  if (answer.status === 200 && (JSON.parse(answer.text) as { status: string }).status !== 'active')
    throw new Violation(`${watch.name} has moved, and is stopped by its address before: ${answer.text.slice(0, 300)}`)
  return `${watch.name} moves ${isAsked ? 'while its address before is asked' : 'in time'}`
}

/** The endpoint fails until a message has been attempted so often. */
async function fail(
  simulation: Simulation,
  watch: Watch,
  behaviour: Behaviour,
  attempts: number,
  random: Random,
): Promise<string> {
  const { network, world } = simulation
  let since = world.now
  network.setBehaviour(watch.address, behaviour)
  watch.healthySince = NEVER
  const incident = await publishFor(simulation, watch, random)
  const next = () => network.find(watch.address, since, incident.id)
  for (let attempt = 1; attempt <= attempts; attempt++)
    if (await simulation.waitFor(() => next() !== undefined, SOON_MS)) since = next()!.at + 1
  // Until the result of the last one is recorded.
  await simulation.sleep(500)
  network.setBehaviour(watch.address, 'answers')
  watch.healthySince = world.now
  return `the endpoint of ${watch.name} ${behaviour} ${attempts} times`
}

/** An action on one watch of an account, which nobody else changes meanwhile. */
async function withWebhook(
  simulation: Simulation,
  { chance }: Step,
  act: (watch: Watch) => Promise<string>,
): Promise<string> {
  const watch = chooseWatch(simulation, chance[0], ({ channel, account, isActive, healthySince, events, goneAt }) => {
    const isUsual = channel === 'webhook' && isActive && events.length === KINDS.length && goneAt === null
    return isUsual && healthySince < NEVER && account!.changed.answered + SETTLED_MS < simulation.world.now
  })
  if (watch === undefined || usableKey(simulation, watch.account!) === undefined) return idle()
  watch.isBusy = true
  try {
    return await act(watch)
  } finally {
    watch.isBusy = false
  }
}

/** For good: nothing of it is sent any more, and its keys are worth nothing. */
async function deleteAccount(simulation: Simulation, account: Account, key: Key): Promise<string> {
  const { world, model } = simulation
  account.changed = { asked: world.now, answered: Number.POSITIVE_INFINITY }
  const watches = model.watches.filter((watch) => watch.account === account && watch.id !== '' && !watch.isRemoved)
  for (const watch of watches) {
    watch.became(false, watch.filter, { asked: world.now, answered: Number.POSITIVE_INFINITY })
    watch.isRemoved = true
  }
  const { answer, span } = await simulation.ask(
    { method: 'DELETE', path: '/v1/me', body: { confirm: account.email } },
    key.text,
  )
  // Repeated after a lost answer, its key is revoked.
  if (answer.status !== 204 && answer.status !== 200 && answer.status !== 401)
    throw new Violation(
      `deleting account ${account.number} was answered ${answer.status}: ${answer.text.slice(0, 200)}`,
    )
  for (const watch of watches) watch.periods[watch.periods.length - 1] = { ...watch.periods.at(-1)!, ...span }
  Object.assign(account, { status: 'deleted', changed: span })
  return `account ${account.number} is deleted`
}

/** Messages are signed with both secrets for a day. */
async function rotateSecret(simulation: Simulation, watch: Watch): Promise<string> {
  const key = usableKey(simulation, watch.account!)
  if (key === undefined) return idle()
  const path = `/v1/watches/${watch.id}/rotate-secret`
  const { answer, span } = await simulation.ask({ method: 'POST', path, body: {} }, key.text)
  if (answer.status !== 200) return `no new secret for ${watch.name}: ${answer.status}`
  watch.secrets.push((JSON.parse(answer.text) as { secret: string }).secret)
  watch.rotated = span
  return `a new secret for ${watch.name}`
}

/** Something that a watch is told of happens, and is sometimes corrected or withdrawn at once. */
async function tellOf(simulation: Simulation, watch: Watch, random: Random): Promise<string> {
  if (!watch.isActive) return 'it is paused'
  const incident = await publishFor(simulation, watch, random)
  const told = `incident ${incident.number} is for it`
  await simulation.sleep(random() * 1500)
  const then = random()
  if (incident.isBusy || incident.status !== 'confirmed' || then < 0.4) return told
  const change = then < 0.7 ? correct(simulation, incident, random) : retract(simulation, incident)
  return `${told}; ${await change}`
}

/** For seconds, or for a day. */
function endpointBecomes(simulation: Simulation, watch: Watch, behaviour: Behaviour, chance: number): string {
  const { world, network } = simulation
  network.setBehaviour(watch.address, behaviour)
  watch.healthySince = NEVER
  const back = chance < 0.7 ? 2000 + chance * 20_000 : chance * 1.5 * DAY
  world.after(back, () => {
    network.setBehaviour(watch.address, 'answers')
    for (const each of simulation.model.watchesAt(watch.address)) each.healthySince = world.now
    simulation.note(`the endpoint of ${watch.name} answers again`)
  })
  return `the endpoint of ${watch.name} ${behaviour}`
}

/** Nothing can be said of the time of a message while there are faults: three of four wait. */
async function untilCalm(simulation: Simulation, { chance }: Step): Promise<void> {
  const isCalm = () => simulation.calmSince + SETTLED_MS < simulation.world.now
  if (chance[2] < 0.75) await simulation.waitFor(isCalm, LONGEST_FAULT_MS)
}

const LONGEST_FAULT_MS = 60_000

/** All nodes follow the clock of the store after this long. */
const FOLLOWED_MS = 6000

const idle = async (): Promise<string> => 'nothing: there is none'

type Perform = (simulation: Simulation, step: Step) => Promise<string>

/** Everything that can happen. */
export const ACTIONS = {
  'import history': (s, step) => importHistory(s, chanceOf(step), 10 + Math.floor(step.chance[0] * 180)),
  'publish many': (s, step) => publishMany(s, chanceOf(step), 8 + Math.floor(step.chance[0] * 60)),
  'add newspaper': (s, step) => addNewspaper(s, step),
  'print story': (s, step) => printStory(s, step),
  async 'newspaper fails'(s, { chance }) {
    const { world, network, model } = s
    const paper = model.newspapers[Math.floor(chance[0] * model.newspapers.length)]
    if (paper === undefined || paper.healthySince === NEVER) return idle()
    const behaviour = BEHAVIOURS[1 + Math.floor(chance[1] * (BEHAVIOURS.length - 1))]!
    network.setBehaviour(paper.feed, behaviour)
    paper.healthySince = NEVER
    world.after(chance[2] < 0.7 ? chance[2] * 20_000 : chance[2] * 1.5 * DAY, () => {
      network.setBehaviour(paper.feed, 'answers')
      const { newspapers } = s.model
      newspapers.find(({ feed }) => feed === paper.feed)!.healthySince = world.now
    })
    return `the feed of ${paper.feed} ${behaviour}`
  },
  async report(s, step) {
    const random = chanceOf(step)
    const report = newReport(s, random)
    const isFree = ({ changed }: Account) => changed.answered + SETTLED_MS < s.world.now
    const reporter = s.accountOf(random(), (each) => isFree(each) && reportingKey(s, each) !== undefined)
    const key = reporter && random() < 0.5 ? reportingKey(s, reporter) : undefined
    const path = '/v1/reports'
    const { answer, span } = await s.ask({ method: 'POST', path, body: report }, key?.text)
    const isLost = key !== undefined && (key.revoked !== null || key.account.changed.answered > span.asked)
    if (isLost && answer.status !== 201) return idle()
    // A node whose store does not answer goes by what it knew of the account.
    if (key !== undefined && answer.status === 403 && s.calmSince > span.asked) return idle()
    const body = parsed<DeskAnswer>(201, answer)
    if (key !== undefined) reporter!.reports.push(body.id)
    checkReport(report, body)
    return `report incident ${addIncident(s, body, span).number}`
  },
  async confirm(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'reported')
    return incident === undefined ? idle() : confirm(s, incident)
  },
  async 'confirm twice'(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'reported')
    return incident === undefined ? idle() : confirmTwice(s, incident)
  },
  async reject(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'reported')
    if (incident === undefined) return idle()
    return decide(s, incident, 'reject', {}, (answer, span) =>
      incident.decided('rejected', factsIn(answer), null, span),
    )
  },
  async reopen(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'rejected')
    if (incident === undefined) return idle()
    return decide(s, incident, 'reopen', {}, (answer, span) =>
      incident.decided('reported', factsIn(answer), null, span),
    )
  },
  async correct(s, step) {
    const incident = chooseIncident(s, step.chance[0], 'reported', 'confirmed')
    return incident === undefined ? idle() : correct(s, incident, chanceOf(step))
  },
  async retract(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'confirmed')
    return incident === undefined ? idle() : retract(s, incident)
  },
  async restore(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'retracted')
    if (incident === undefined) return idle()
    return decide(s, incident, 'restore', {}, (answer, span) =>
      incident.decided('confirmed', factsIn(answer), 'incident.updated', span),
    )
  },
  async merge(s, { chance }) {
    const from = chooseIncident(s, chance[0], 'reported', 'confirmed')
    const into = chooseIncident(s, chance[1], 'confirmed')
    return from === undefined || into === undefined || from === into ? idle() : merge(s, from, into)
  },
  async redact(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'reported', 'confirmed', 'retracted')
    return incident === undefined ? idle() : redact(s, incident)
  },
  async unmerge(s, { chance }) {
    const incident = chooseIncident(s, chance[0], 'merged')
    return incident === undefined ? idle() : unmerge(s, incident)
  },
  'ask for alert': (s, step) => askForAlert(s, chanceOf(step)),
  'report everywhere': (s, step) => reportEverywhere(s, chanceOf(step)),
  'send tip': (s, step) => sendTip(s, chanceOf(step)),
  async 'share host'(s, step) {
    await untilCalm(s, step)
    return shareHost(s, chanceOf(step))
  },
  async 'end alerts together'(s, step) {
    const watch = chooseWatch(s, step.chance[0], ({ link, isActive }) => link !== null && isActive)
    if (watch === undefined) return idle()
    watch.isBusy = true
    return endTogether(s, watch, chanceOf(step)).finally(() => {
      watch.isBusy = false
    })
  },
  async 'end alert'(s, { chance }) {
    const watch = chooseWatch(s, chance[0], ({ link, isActive }) => link !== null && isActive)
    return watch === undefined ? idle() : endAlert(s, watch)
  },
  async recover(s, { chance }) {
    const watch = chooseWatch(s, chance[0], ({ isActive, account, channel, healthySince }) => {
      return isActive && account?.status === 'active' && channel === 'webhook' && healthySince < Infinity
    })
    return watch === undefined ? idle() : recover(s, watch)
  },
  async 'repair endpoint'(s, step) {
    await untilCalm(s, step)
    return withWebhook(s, step, (watch) => repair(s, watch, chanceOf(step)))
  },
  async 'endpoint is busy'(s, step) {
    await untilCalm(s, step)
    return withWebhook(s, step, (watch) => fail(s, watch, 'is busy', 1, chanceOf(step)))
  },
  'move endpoint': (s, step) => withWebhook(s, step, (watch) => moveEndpoint(s, watch, chanceOf(step))),
  async 'rotate secret'(s, step) {
    const isFree = ({ channel, account }: Watch) => channel === 'webhook' && account?.status === 'active'
    const watch = chooseWatch(s, step.chance[0], isFree)
    if (watch === undefined) return idle()
    const done = await rotateSecret(s, watch)
    await s.sleep(2 * SETTLED_MS)
    return `${done}; ${await tellOf(s, watch, chanceOf(step))}`
  },
  async 'delete account'(s, { chance }) {
    const isFree = (each: Account) =>
      each.status === 'active' &&
      each.role === 'client' &&
      each.changed.answered < s.world.now &&
      !isChangingWatch(s, each)
    const account = s.accountOf(chance[0], isFree)
    const key = account && usableKey(s, account)
    return key === undefined || !key.scopes.includes('read') ? idle() : deleteAccount(s, key.account, key)
  },
  'add account': (s, step) => addAccount(s, chanceOf(step)),
  async 'add key'(s, step) {
    const account = s.accountOf(step.chance[0], ({ status, keys }) => status === 'active' && keys.length < 15)
    return account === undefined ? idle() : addKey(s, account, chanceOf(step))
  },
  async 'key makes key'(s, step) {
    const isFree = ({ status, keys }: Account) => status === 'active' && keys.length % 15 > 0
    const expires = ({ keys }: Account) => keys.some(({ expiresAt }) => expiresAt !== null && expiresAt > s.world.now)
    const account =
      s.accountOf(step.chance[0], (each) => isFree(each) && expires(each)) ?? s.accountOf(step.chance[0], isFree)
    return account === undefined ? idle() : keyMakesKey(s, account, chanceOf(step))
  },
  'invite with less': (s, step) => inviteWithLess(s, chanceOf(step)),
  'contest address': (s, step) => contestAddress(s, chanceOf(step)),
  async 'save area'(s, step) {
    const account = s.accountOf(step.chance[0], ({ status, areas }) => status === 'active' && areas.length < 50)
    const key = account && usableKey(s, account)
    return key === undefined ? idle() : saveArea(s, key.account, key, chanceOf(step))
  },
  'use up limit': (s, step) => useUpLimit(s, chanceOf(step)),
  'ask without key': (s) => askWithoutKey(s),
  'guess keys': (s) => guessKeys(s),
  async 'revoke key'(s, { chance }) {
    const account = s.accountOf(chance[0], ({ status, keys }) => status === 'active' && keys.length > 1)
    const key = account?.keys
      .slice(1)
      .find(({ revoked, expiresAt }) => revoked === null && (expiresAt ?? NEVER) > s.world.now)
    if (key === undefined) return idle()
    key.revoked = { asked: s.world.now, answered: Infinity }
    const { span } = await s.demand(200, { method: 'DELETE', path: `/v1/admin/keys/${key.id}` })
    key.revoked = span
    return `revoke a key of account ${key.account.number}`
  },
  async 'block account'(s, { chance }) {
    const account = s.accountOf(
      chance[0],
      (each) => each.status === 'active' && each.changed.answered < s.world.now && !isChangingWatch(s, each),
    )
    return account === undefined ? idle() : changeAccount(s, account, { status: 'blocked' })
  },
  async 'unblock account'(s, { chance }) {
    const account = s.accountOf(
      chance[0],
      ({ status, changed }) => status === 'blocked' && changed.answered < s.world.now,
    )
    return account === undefined ? idle() : changeAccount(s, account, { status: 'active' })
  },
  async 'change role'(s, step): Promise<string> {
    const isFree = ({ status, changed }: Account) => status === 'active' && changed.answered < s.world.now
    const account = s.accountOf(step.chance[0], isFree)
    const role = pick(chanceOf({ ...step, chance: [step.chance[1], 0, 0] }), ['client', 'reporter', 'editor'] as const)
    return account === undefined || account.role === role ? idle() : changeAccount(s, account, { role })
  },
  async 'add watch'(s, step) {
    const account = s.accountOf(step.chance[2], ({ status }) => status === 'active')
    return account === undefined ? idle() : addWatch(s, account, chanceOf(step))
  },
  async 'pause watch'(s, { chance }) {
    const watch = chooseWatch(s, chance[0], ({ isActive, account }) => isActive && account?.status === 'active')
    return watch === undefined ? idle() : changeWatch(s, watch, { status: 'paused' }, 'pause', false)
  },
  async 'resume watch'(s, { chance }) {
    const watch = chooseWatch(s, chance[0], ({ isActive, account }) => !isActive && account?.status === 'active')
    return watch === undefined ? idle() : changeWatch(s, watch, { status: 'active' }, 'resume', true)
  },
  async 'change filter'(s, step) {
    const watch = chooseWatch(s, step.chance[0], ({ isActive, account }) => isActive && account?.status === 'active')
    const filter = newFilter(chanceOf(step))
    return watch === undefined ? idle() : changeWatch(s, watch, { filter }, `change to ${JSON.stringify(filter)}`, true)
  },
  async 'remove watch'(s, { chance }) {
    const watch = chooseWatch(s, chance[0], ({ account }) => account?.status === 'active')
    return watch === undefined ? idle() : removeWatch(s, watch)
  },
  async 'open stream'(s, step) {
    const account = s.accountOf(step.chance[2], ({ status }) => status === 'active')
    const key = account && usableKey(s, account)
    if (key === undefined || s.streams.length >= 20) return idle()
    const random = chanceOf(step)
    const filter = random() < 0.3 ? {} : newFilter(random)
    // Every second one asks for all that was ever published.
    const isFromStart = s.streams.length % 2 === 0
    const client = new StreamClient(s, s.streams.length + 1, key.text, filter, isFromStart)
    s.streams.push(client)
    s.inBackground(client.run())
    return `stream ${s.streams.length} opens ${JSON.stringify(filter)}`
  },
  async 'lose connection'(s, { chance }) {
    const client = s.streams[Math.floor(chance[0] * s.streams.length)]
    client?.disconnect()
    return client === undefined ? idle() : 'a stream loses its connection'
  },
  async 'endpoint changes'(s, step) {
    const { chance } = step
    const watch = chooseWatch(
      s,
      chance[0],
      ({ healthySince, channel }) => healthySince < Infinity && channel !== 'email',
    )
    if (watch === undefined) return idle()
    const behaviour = BEHAVIOURS[1 + Math.floor(chance[1] * (BEHAVIOURS.length - 1))]!
    return `${endpointBecomes(s, watch, behaviour, chance[2])}; ${await tellOf(s, watch, chanceOf(step))}`
  },
  async 'endpoint is gone'(s, step) {
    const { chance } = step
    const isFree = ({ healthySince, channel, goneAt }: Watch) =>
      healthySince < Infinity && channel === 'webhook' && goneAt === null
    const watch = chooseWatch(s, chance[0], isFree)
    if (watch === undefined) return idle()
    return `${endpointBecomes(s, watch, 'is gone', chance[2])}; ${await tellOf(s, watch, chanceOf(step))}`
  },
  async 'mail server stops'(s, { chance }) {
    s.network.isMailServerUp = false
    await s.sleep(1000 + chance[0] * 8000)
    s.network.isMailServerUp = true
    return 'the mail server is up again'
  },
  async 'node freezes'(s, { chance }) {
    const node = s.readyNodes[Math.floor(chance[0] * s.readyNodes.length)]
    if (node === undefined || s.readyNodes.length < 2) return idle()
    node.machine.freeze()
    s.note(`node ${node.machine.name} freezes`)
    await s.sleep(500 + chance[1] ** 2 * 40_000)
    node.machine.thaw()
    return `node ${node.machine.name} goes on`
  },
  async 'node dies'(s, { chance }) {
    const index = Math.floor(chance[0] * s.nodes.length)
    const node = s.nodes[index]
    if (node?.isReady !== true || s.readyNodes.length < 2) return idle()
    node.kill()
    s.note(`node ${node.machine.name} dies`)
    await s.sleep(200 + chance[1] * 15_000)
    await s.startNode(index)
    return `node ${node.machine.name} is back`
  },
  async 'node dies while it sends'(s, step) {
    const sent = s.counts.messages
    const done = publishMany(s, chanceOf(step), 10)
    for (let waited = 0; s.counts.messages === sent && waited < 3000; waited++) await s.sleep(1)
    const index = Math.floor(step.chance[1] * s.nodes.length)
    const node = s.nodes[index]
    if (node?.isReady !== true || s.readyNodes.length < 2) return done
    node.kill()
    s.note(`node ${node.machine.name} dies`)
    await s.sleep(step.chance[2] * 15_000)
    await s.startNode(index)
    return `${await done}, and node ${node.machine.name} is back`
  },
  /** It answers reads, and says how old they are. */
  async 'node is cut off'(s, { chance }) {
    const node = s.readyNodes[Math.floor(chance[0] * s.readyNodes.length)]
    if (node === undefined || s.readyNodes.length < 2) return idle()
    const inStepAt = async () => {
      const answer = await s.askOnce(node, { method: 'GET', path: '/readyz' })
      return answer === null ? null : (JSON.parse(answer.text) as { in_step_at?: string }).in_step_at
    }
    const faultOf = (machine: unknown) => (machine === node.machine ? 'lost before' : 'none')
    s.database.faultOf = faultOf
    s.note(`node ${node.machine.name} is cut off from the store`)
    await s.sleep(SETTLED_MS)
    const first = await inStepAt()
    await s.sleep(SETTLED_MS)
    const then = await inStepAt()
    const isCutOff = s.database.faultOf === faultOf
    s.database.faultOf = () => 'none'
    if (isCutOff && first && then && then !== first)
      throw new Violation(`node ${node.machine.name} was cut off, and says that it was in step at ${first} and ${then}`)
    return `node ${node.machine.name} reaches the store again`
  },
  async 'node is restarted'(s, { chance }) {
    const index = Math.floor(chance[0] * s.nodes.length)
    const node = s.nodes[index]
    if (node?.isReady !== true || s.readyNodes.length < 2 || !node.machine.isRunning) return idle()
    await node.stop()
    await s.startNode(index)
    return `node ${node.machine.name} was restarted`
  },
  async 'clock jumps'(s, { chance }) {
    const node = s.readyNodes[Math.floor(chance[0] * s.readyNodes.length)]
    if (node === undefined) return idle()
    const offset = Math.round((chance[1] - 0.5) * 2 * HOUR)
    node.machine.clockOffset = offset
    s.note(`the clock of node ${node.machine.name} is ${offset} ms ahead`)
    await s.sleep(chance[2] * 10_000)
    node.machine.clockOffset = 0
    return `the clock of node ${node.machine.name} is right again`
  },
  /** The clock that all follow is set back: no retry waits for the time that it was due by then. */
  async 'time server is wrong'(s, step) {
    await untilCalm(s, step)
    const beAhead = async () => {
      s.database.clockOffset = Math.round((0.1 + step.chance[1] * 0.9) * HOUR)
      s.note(`the clock of the store is ${s.database.clockOffset} ms ahead`)
      await s.sleep(FOLLOWED_MS)
      const failed = await withWebhook(s, step, (watch) => fail(s, watch, 'fails', 2, chanceOf(step)))
      s.database.clockOffset = 0
      await s.sleep(FOLLOWED_MS)
      return `${failed}; the clock of the store is right again`
    }
    return s.during(beAhead())
  },
  async 'store fails'(s, step) {
    const { chance } = step
    const kinds = chance[0] < 0.3 ? (['slow'] as const) : (['lost before', 'lost within', 'lost after'] as const)
    const share = 0.02 + chance[1] * 0.3
    s.database.faultOf = () => (s.world.random() < share ? pick(s.world.random, kinds) : 'none')
    s.note(`of the calls of the store ${Math.round(share * 100)} % are ${kinds.join(' or ')}`)
    const published = publishMany(s, chanceOf(step), 10)
    await s.sleep(500 + chance[2] * 6000)
    s.database.faultOf = () => 'none'
    return `the store works again; ${await published}`
  },
  async 'database ends within calls'(s, step) {
    s.database.faultOf = () => (s.world.random() < 0.3 ? 'lost within' : 'none')
    s.note('the process of the database ends within calls')
    const published = publishMany(s, chanceOf(step), 20)
    await s.sleep(3000 + step.chance[2] * 3000)
    s.database.faultOf = () => 'none'
    return `the process of the database goes on; ${await published}`
  },
  async 'store is full'(s, { chance }) {
    s.database.setFull(true)
    s.note('the disk of the store is full')
    await s.sleep(500 + chance[0] * 5000)
    s.database.setFull(false)
    return 'the disk of the store has room again'
  },
} satisfies Record<string, Perform>

export type Action = keyof typeof ACTIONS
