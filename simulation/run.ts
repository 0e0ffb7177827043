import { pickWeighted, randomInteger, seededRandom, weightedChoice } from '../src/lib/random.ts'
import { ACTIONS, type Action, type Step } from './actions.ts'
import { Simulation } from './simulation.ts'

const DAY = 86_400_000
const START = Date.parse('2027-01-01T06:00:00Z')
const DAYS_OF_A_YEAR = 365
const WORKDAYS_OF_A_YEAR = 24
/** Work of a day happens within this time; the rest of the day is quiet. */
const WORK_MS = 8000
const WATCHES = 200
const ACCOUNTS = 24
/** For the first day, before faults begin. */
const SETTING_UP_MS = 40_000

/** The frequency of each thing on a day with work. */
const WEIGHTS: Readonly<Record<Action, number>> = {
  'import history': 0,
  'publish many': 0,
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
  recover: 0.4,
  'rotate secret': 0.3,
  'delete account': 0.05,
  'add account': 0.1,
  'add key': 0.4,
  'revoke key': 0.3,
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
  'endpoint changes': 1.2,
  'mail server stops': 0.2,
  'node freezes': 0.25,
  'node dies': 0.25,
  'node is restarted': 0.15,
  'clock jumps': 0.2,
  'store fails': 0.4,
  'store is full': 0.15,
}

export interface Options {
  readonly seed: number
  readonly years: number
  readonly nodes: number
  readonly incidents: number
}

/** Everything that will happen, from the seed alone. */
export function planOf({ seed, years, incidents }: Options): Step[] {
  const random = seededRandom(seed + 0.25 * 2 ** 32)
  const steps: Step[] = []
  const add = (day: number, action: Action, most = WORK_MS) => {
    steps.push({ day, at: Math.floor(random() * most), action, chance: [random(), random(), random()] })
  }
  for (let count = 0; count < ACCOUNTS; count++) add(0, 'add account', SETTING_UP_MS / 4)
  for (let count = 0; count < WATCHES; count++) add(1, 'add watch', SETTING_UP_MS)
  for (let count = 0; count < 20; count++) add(1, 'ask for alert', SETTING_UP_MS)
  for (let count = 0; count < 8; count++) add(1, 'open stream', SETTING_UP_MS)
  const choice = weightedChoice(Object.entries(WEIGHTS) as [Action, number][])
  const workdays = Math.ceil(years * WORKDAYS_OF_A_YEAR)
  for (let index = 1; index <= workdays; index++) {
    const day = 1 + Math.floor((index * years * DAYS_OF_A_YEAR) / (workdays + 1))
    // Half of all by files: about 100 in each, and 38 in each of the others.
    for (let left = incidents / workdays / 2 / 100; left > random(); left--) add(day, 'import history')
    for (let left = incidents / workdays / 2 / 38; left > random(); left--) add(day, 'publish many')
    for (let count = randomInteger(random, 4, 24); count > 0; count--) add(day, pickWeighted(random, choice))
  }
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
  { seed, nodes }: Options,
  write: (line: string) => void,
): Promise<Result> {
  using simulation = new Simulation(seed, START, nodes, write)
  const { world, model } = simulation
  let day = 0
  let failure: Error | null = null
  try {
    for (let index = 0; index < nodes; index++) await simulation.until(simulation.startNode(index))
    for (const [at, ofDay] of Map.groupBy(steps, (step) => step.day)) {
      day = at
      await world.skipTo(START + day * DAY)
      await simulation.pass(2000)
      await simulation.until(openBrowsers(simulation))
      await simulation.until(Promise.all(ofDay.map((step) => perform(simulation, step))).then(() => {}))
      await simulation.pass(0)
      await simulation.compare()
      await simulation.until(probe(simulation))
    }
    // The longest that a message waits: for the next day, or for the end of an outage.
    for (let waited = 0; waited < 4; waited++) {
      await world.skipTo(world.now + DAY)
      await simulation.pass(90_000)
    }
    await simulation.compareAtEnd()
    await simulation.until(simulation.checkList({}, 500))
    await simulation.until(simulation.checkAfresh())
  } catch (error) {
    failure = error as Error
    simulation.note(`FAILED: ${failure.message}`)
  }
  const counts = { ...simulation.counts, incidents: model.incidents.length, watches: model.watches.length, days: day }
  return { failure, counts }
}

const SEEN_EVERY = 30 * DAY
const UNSEEN_FOR = 60 * DAY

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

async function perform(simulation: Simulation, step: Step): Promise<void> {
  await simulation.sleep(step.at)
  simulation.note(await ACTIONS[step.action](simulation, step))
}

/** Some of everything that can be read, at every node. */
async function probe(simulation: Simulation): Promise<void> {
  const { world, model } = simulation
  const account = simulation.accountOf(world.random(), ({ keys }) => keys.length > 0)
  const key = account?.keys[Math.floor(world.random() * account.keys.length)]
  if (key !== undefined) await simulation.checkKey(key)
  const watch = model.watches[Math.floor(world.random() * model.watches.length)]
  if (watch !== undefined && watch.periods.length > 0)
    await simulation.checkList(watch.filter, 1 + Math.floor(world.random() * 50))
}
