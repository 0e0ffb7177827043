import { pick, pickWeighted, randomInteger, seededRandom, weightedChoice } from '../src/lib/random.ts'
import { ACTIONS, type Action, printStory, type Step } from './actions.ts'
import { type SharedDatabase, SqliteDatabase } from './nodes.ts'
import { checkReads } from './reads.ts'
import { checkKey, checkOwn, checkWithoutKey } from './rights.ts'
import { Simulation } from './simulation.ts'
import type { World } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2027-01-01T06:00:00Z')
const DAYS_OF_A_YEAR = 365
const WORKDAYS_OF_A_YEAR = 8
const LAST_WORKDAYS = 4
/** Work of a day happens within this time; the rest of the day is quiet. */
const WORK_MS = 8000
const WATCHES = 200
const ACCOUNTS = 24
/** The share of days after which the database is lost. */
const RESTORES = 0.03
/** The share of days on which it loses its end. */
const LOSSES = 0.1
/** The share of days after which the clock that all nodes follow is wrong for a while. */
const VISITS = 0.2
const NEWSPAPERS = 3
/** Feeds are polled and digests sent at the first moment of a day. */
const MORNING_MS = 4000
/** For the first day, before faults begin. */
const SETTING_UP_MS = 40_000

/** The frequency of each thing on a day with work. */
const WEIGHTS: Readonly<Record<Action, number>> = {
  'import history': 0,
  'publish many': 0,
  'add newspaper': 0,
  'print story': 2,
  'newspaper fails': 0.3,
  report: 8,
  confirm: 6,
  'confirm twice': 1,
  reject: 1,
  reopen: 0.5,
  correct: 4,
  retract: 2,
  restore: 1.5,
  merge: 1.5,
  redact: 0.5,
  unmerge: 0.8,
  'ask for alert': 0.4,
  'end alert': 0.2,
  'end alerts together': 0.2,
  'send tip': 0.3,
  'share host': 0.1,
  'report everywhere': 0.3,
  recover: 0.4,
  'repair endpoint': 0.3,
  'endpoint is busy': 0.2,
  'move endpoint': 0.3,
  'rotate secret': 0.4,
  'delete account': 0.05,
  'add account': 0.1,
  'add key': 0.4,
  'revoke key': 0.3,
  'use up limit': 0.2,
  'ask without key': 0.1,
  'guess keys': 0.1,
  'key makes key': 0.6,
  'invite with less': 0.2,
  'contest address': 0.1,
  'save area': 1,
  'block account': 0.25,
  'unblock account': 0.25,
  'change role': 0.3,
  'add watch': 0.6,
  'pause watch': 0.6,
  'resume watch': 0.7,
  'change filter': 0.4,
  'remove watch': 0.5,
  'open stream': 0.3,
  'lose connection': 0.6,
  'endpoint changes': 1.8,
  'endpoint is gone': 0.4,
  'mail server stops': 0.2,
  'node freezes': 0.25,
  'node dies': 0.25,
  'node dies while it sends': 0.3,
  'node is cut off': 0.2,
  'node is restarted': 0.15,
  'clock jumps': 0.2,
  'time server is wrong': 0.15,
  'store fails': 0.4,
  'database ends within calls': 0.15,
  'store is full': 0.15,
}

export interface Options {
  readonly seed: number
  readonly years: number
  readonly nodes: number
  readonly incidents: number
  /** By default SQLite. */
  readonly openDatabase?: (world: World) => SharedDatabase
}

/** Everything that will happen, from the seed alone. */
export function planOf({ seed, years, incidents }: Options): Step[] {
  const random = seededRandom(seed + 0.25 * 2 ** 32)
  const steps: Step[] = []
  const add = (day: number, action: Step['action'], most = WORK_MS) => {
    steps.push({ day, at: Math.floor(random() * most), action, chance: [random(), random(), random()] })
  }
  for (let count = 0; count < ACCOUNTS; count++) add(0, 'add account', SETTING_UP_MS / 4)
  for (let count = 0; count < WATCHES; count++) add(1, 'add watch', SETTING_UP_MS)
  for (let count = 0; count < 20; count++) add(1, 'ask for alert', SETTING_UP_MS)
  for (let count = 0; count < 6; count++) {
    add(1, 'report', SETTING_UP_MS)
    add(1, 'confirm', SETTING_UP_MS)
  }
  for (let count = 0; count < 8; count++) add(1, 'open stream', SETTING_UP_MS)
  for (let count = 0; count < 30; count++) add(1, 'save area', SETTING_UP_MS)
  for (let count = 0; count < 10; count++) add(1, 'key makes key', SETTING_UP_MS)
  for (let count = 0; count < 4; count++) add(1, 'add key', SETTING_UP_MS)
  for (let count = 0; count < NEWSPAPERS; count++) add(1, 'add newspaper', SETTING_UP_MS)
  const choice = weightedChoice(Object.entries(WEIGHTS) as [Action, number][])
  const workdays = Math.ceil(years * WORKDAYS_OF_A_YEAR)
  for (let index = 1; index <= workdays; index++) {
    // Every second follows soon upon the one before.
    const spread = index % 2 === 0 ? index - 1 : index
    const soon = index % 2 === 0 ? randomInteger(random, 1, 3) : 0
    const day = 1 + soon + Math.floor((spread * years * DAYS_OF_A_YEAR) / (workdays + 1))
    // Three of four by files: about 100 in each, and 38 in each of the others.
    for (let left = (incidents / workdays / 100) * 0.75; left > random(); left--) add(day, 'import history')
    for (let left = (incidents / workdays / 38) * 0.25; left > random(); left--) add(day, 'publish many')
    for (let count = randomInteger(random, 8, 40); count > 0; count--) add(day, pickWeighted(random, choice))
    if (random() < RESTORES) add(day, 'restore backup')
    if (random() < LOSSES) add(day, 'lose end of database')
  }
  // Whatever is rare happens once, however short the time: on one of the last days.
  const lastDays = [...new Set(steps.map(({ day }) => day))].slice(-LAST_WORKDAYS)
  for (const [action, weight] of Object.entries(WEIGHTS) as [Action, number][])
    if (weight > 0 && lastDays.length === LAST_WORKDAYS) add(pick(random, lastDays), action)
  if (lastDays.length === LAST_WORKDAYS) add(pick(random, lastDays), 'lose end of database')
  for (const day of new Set(steps.map((step) => step.day)))
    if (day === lastDays[0] || random() < VISITS) add(day, 'clock visits another time')
  return steps.sort((one, other) => one.day - other.day || one.at - other.at)
}

export interface Result {
  /** Says what must not be, and was. */
  readonly failure: Error | null
  readonly counts: Simulation['counts'] & {
    readonly incidents: number
    readonly watches: number
    readonly days: number
  }
}

/** Runs the steps; stops at the first thing that must not be. */
export async function run(
  steps: readonly Step[],
  { seed, nodes, openDatabase = (world) => new SqliteDatabase(world) }: Options,
  write: (line: string) => void,
): Promise<Result> {
  using simulation = new Simulation(seed, START, nodes, openDatabase, write)
  const { world } = simulation
  let day = 0
  let failure: Error | null = null
  try {
    for (let index = 0; index < nodes; index++) await simulation.until(simulation.startNode(index))
    for (const [at, ofDay] of Map.groupBy(steps, (step) => step.day)) {
      day = at
      while (START + day * DAY > world.now + QUIET_FOR) {
        await world.skipTo(world.now + QUIET_FOR)
        await simulation.pass(2000)
        await simulation.until(openBrowsers(simulation))
      }
      await world.skipTo(START + day * DAY)
      await simulation.pass(2000)
      const work = ofDay.filter(({ action }) => Object.hasOwn(ACTIONS, action))
      const backup = ofDay.some(({ action }) => action === 'restore backup') ? await simulation.backUp() : null
      await simulation.until(openBrowsers(simulation))
      const loss = ofDay.find(({ action }) => action === 'lose end of database')
      const [kept = [], lost = []] = [false, true].map((isLost) =>
        work.filter(({ at }) => isLost === (loss !== undefined && at >= loss.at)),
      )
      await performAll(simulation, kept)
      if (loss !== undefined) {
        const state = await simulation.backUp()
        await performAll(simulation, lost, loss.at)
        await simulation.lose(state, loss.chance, () => ACTIONS['publish many'](simulation, loss))
      }
      await simulation.compare()
      await simulation.until(probe(simulation))
      const visit = ofDay.find(({ action }) => action === 'clock visits another time')
      if (visit !== undefined) await simulation.visitAnotherTime(visit.chance, () => printStory(simulation, visit))
      // The next day's polls and digests come before a long quiet time.
      await world.skipTo(START + (day + 1) * DAY - HOUR)
      await simulation.pass(MORNING_MS)
      await simulation.checkDigests()
      if (backup !== null) {
        await simulation.restore(backup)
        simulation.note('the database is lost, and the backup of the day before is restored')
        await simulation.until(openBrowsers(simulation))
        await simulation.compare()
      }
    }
    // The longest that a message waits: for the next day, or for the end of an outage.
    for (let waited = 0; waited < 4; waited++) {
      await world.skipTo(world.now + DAY)
      await simulation.pass(MORNING_MS)
    }
    // After all outages: nothing was lost.
    await simulation.compare(true)
    await simulation.until(simulation.checkList({}, 500))
    await simulation.until(simulation.checkAfresh())
    await simulation.checkKept()
  } catch (error) {
    failure = error as Error
    simulation.note(`FAILED: ${failure.message}`)
  }
  const counts = {
    ...simulation.counts,
    incidents: simulation.model.incidents.length,
    watches: simulation.watched,
    days: day,
  }
  return { failure, counts }
}

const SEEN_EVERY = 30 * DAY
const UNSEEN_FOR = 60 * DAY
/** At most; browsers open a page after it. */
const QUIET_FOR = 45 * DAY

/** Browsers open a page of the service now and then. Every fifth never does: it is given up. */
async function openBrowsers(simulation: Simulation): Promise<void> {
  const { world, model } = simulation
  for (const watch of model.watches) {
    if (watch.channel !== 'webpush' || watch.isRemoved || watch.id === '') continue
    const since = Math.max(watch.seenAt, watch.periods.at(-1)!.answered)
    if (watch.number % 5 === 0 && watch.isActive && world.now > since + UNSEEN_FOR)
      watch.became(false, watch.filter, { asked: since + UNSEEN_FOR, answered: world.now })
    if (watch.number % 5 === 0 || world.now < watch.seenAt + SEEN_EVERY) continue
    await simulation.demand(204, { method: 'POST', path: '/v1/push/seen', body: { endpoint: watch.address } }, null)
    watch.seenAt = world.now
  }
}

/** Faults after which a message may be sent once more, or early. */
const FAULTS: ReadonlySet<Action> = new Set([
  'node freezes',
  'node dies',
  'node dies while it sends',
  'node is cut off',
  'node is restarted',
  'clock jumps',
  'store fails',
  'database ends within calls',
  'store is full',
])

/** Lets everything happen that begins within a part of a day, which begins `since` after it. */
async function performAll(simulation: Simulation, steps: readonly Step[], since = 0): Promise<void> {
  await simulation.until(Promise.all(steps.map((step) => perform(simulation, step, since))).then(() => {}))
  await simulation.pass(0)
}

async function perform(simulation: Simulation, step: Step, since: number): Promise<void> {
  await simulation.sleep(step.at - since)
  const action = step.action as Action
  simulation.underWay.add(step)
  const done = ACTIONS[action](simulation, step)
  simulation.note(await (FAULTS.has(action) ? simulation.during(done) : done))
  simulation.underWay.delete(step)
}

/** Some of everything that can be read, at every node. */
async function probe(simulation: Simulation): Promise<void> {
  const { world, model } = simulation
  await checkReads(simulation)
  await checkWithoutKey(simulation)
  const keys = model.accounts.flatMap((account) => account.keys)
  // The first key of an account may all that its role may.
  const lesser = keys.filter((key) => key !== key.account.keys[0])
  const revoked = keys.filter(({ revoked }) => revoked !== null)
  for (const group of [keys, lesser, revoked]) {
    const key = group[Math.floor(world.random() * group.length)]
    if (key === undefined) continue
    await checkKey(simulation, key)
    await checkOwn(simulation, key)
  }
  const watch = model.watches[Math.floor(world.random() * model.watches.length)]
  if (watch !== undefined && watch.periods.length > 0)
    await simulation.checkList(watch.filter, 1 + Math.floor(world.random() * 50))
}
