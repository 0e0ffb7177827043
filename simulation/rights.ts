import { pick, type Random } from '../src/lib/random.ts'
import { clientAddress } from './limits.ts'
import { type Account, admissionOf, type Key, type Span, Violation } from './model.ts'
import type { Answer, Node } from './nodes.ts'
import { parsed, type Simulation } from './simulation.ts'

/* The rights of each key; it sees nothing of other accounts. */

const UNKNOWN = 'inc_00000000000000000000000000'

interface Probe {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** For each scope requests that need it, and change nothing. `all`: every scope of the role. */
const PROBES: readonly (Probe & { readonly scope: string })[] = [
  { scope: 'read', method: 'GET', path: '/v1/incidents?limit=1' },
  { scope: 'read', method: 'GET', path: `/v1/incidents/${UNKNOWN}.cap` },
  { scope: 'read', method: 'GET', path: '/v1/archive/2027-01.csv' },
  { scope: 'watch', method: 'GET', path: '/v1/watches' },
  { scope: 'watch', method: 'POST', path: '/v1/keys', body: { scopes: 'none' } },
  { scope: 'report', method: 'POST', path: '/v1/reports', body: {} },
  { scope: 'review', method: 'GET', path: '/v1/desk/counts' },
  { scope: 'review', method: 'GET', path: `/v1/desk/incidents/${UNKNOWN}` },
  { scope: 'review', method: 'GET', path: '/v1/desk/stream' },
  { scope: 'admin', method: 'GET', path: '/v1/admin/accounts?limit=1' },
  { scope: 'admin', method: 'GET', path: '/v1/admin/audit?limit=1' },
  { scope: 'all', method: 'POST', path: '/v1/passkeys', body: {} },
]

/** The share of the requests that is sent with a key, on a day: in time all are with all. */
const SHARE = 0.5

/** The key may do what it may: with one request at every node, with the others at any. */
export async function checkKey(simulation: Simulation, key: Key): Promise<void> {
  const { account, scopes } = key
  for (const [index, { scope, ...probe }] of PROBES.entries()) {
    if (index > 0 && simulation.world.random() > SHARE) continue
    const expected = admissionOf(key, scope, simulation.world.now)
    for (const node of index === 0 ? simulation.readyNodes : anyOf(simulation)) {
      const admitted = await admissionAt(simulation, node, probe, key.text)
      if (admitted !== null && admitted !== expected)
        throw new Violation(
          `${probe.method} ${probe.path} with a key of account ${account.number} (${account.role}, ${account.status}; ${scopes.join(', ')}) was answered ${admitted}; expected: ${expected}`,
        )
    }
  }
}

/** Without a key nobody may anything. */
export async function checkWithoutKey(simulation: Simulation): Promise<void> {
  for (const { scope: _, ...probe } of PROBES)
    for (const node of probe.path === '/v1/keys' || simulation.world.random() > SHARE ? [] : anyOf(simulation)) {
      const admitted = await admissionAt(simulation, node, probe)
      if (admitted !== null && admitted !== 401)
        throw new Violation(`${probe.method} ${probe.path} without a key was answered ${admitted}; expected: 401`)
    }
}

function anyOf({ readyNodes, world }: Simulation): Node[] {
  const at = Math.floor(world.random() * readyNodes.length)
  return readyNodes.slice(at, at + 1)
}

/** 401, 403, or 200 for any other answer; null if there was none. */
async function admissionAt(simulation: Simulation, node: Node, probe: Probe, key?: string) {
  const status = await statusAt(simulation, node, probe, key)
  if (status === null || status === 503 || status === 429) return null
  return status === 401 || status === 403 ? status : 200
}

async function statusAt(simulation: Simulation, node: Node, probe: Probe, key?: string): Promise<number | null> {
  if (!/stream|listen/.test(probe.path)) return (await simulation.askOnce(node, { ...probe, key }))?.status ?? null
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const ignore = () => {}
  const stream = await node.stream(probe.path, headers, ignore, ignore)
  stream?.close()
  return stream?.status ?? null
}

/** The things of others are unknown to it, and its own lists are whole on pages of any size. */
export async function checkOwn(simulation: Simulation, key: Key): Promise<void> {
  const { world, model, readyNodes } = simulation
  const isAdmitted = (scope: string) => admissionOf(key, scope, world.now) === 200
  const { account } = key
  const watches = model.watches.filter(({ isRemoved, id }) => !isRemoved && id !== '')
  const own = watches.filter((watch) => watch.account === account)
  const lists = [
    ['watch', '/v1/watches', own.map(({ id }) => id)],
    ['watch', '/v1/areas', account.areas],
    ['watch', '/v1/sites', account.sites],
    ['report', '/v1/reports', account.reports],
  ] as const
  for (const [scope, path, ids] of lists) if (isAdmitted(scope)) await checkPages(simulation, key, path, ids)
  const isOther = (each: Account) => each !== account && each.areas.length > 0
  const other =
    simulation.accountOf(world.random(), (each) => isOther(each) && each.sites.length > 0) ??
    simulation.accountOf(world.random(), isOther)
  const watch = watches.find((each) => each.channel === 'webhook' && each.account === other)
  const stranger = simulation.accountOf(world.random(), ({ id, role }) => id !== account.id && role === 'client')
  const foreignKey = stranger?.keys[0]
  const things = [
    ...(watch === undefined ? [] : [`/v1/watches/${watch.id}`]),
    ...(other?.areas ?? []).slice(0, 1).map((id) => `/v1/areas/${id}`),
    ...(other?.sites ?? []).slice(0, 1).map((id) => `/v1/sites/${id}`),
  ]
  const foreign: Probe[] = [
    ...things.flatMap((path) => ['GET', 'DELETE'].map((method) => ({ method, path }))),
    ...(watch === undefined ? [] : [{ method: 'GET', path: `/v1/listen?watch=${watch.id}` }]),
    ...(watch === undefined ? [] : [{ method: 'POST', path: `/v1/watches/${watch.id}/rotate-secret`, body: {} }]),
    ...(foreignKey === undefined ? [] : [{ method: 'POST', path: `/v1/keys/${foreignKey.id}/rotate`, body: {} }]),
  ]
  const [node] = readyNodes
  if (node === undefined || !isAdmitted('watch') || !isAdmitted('read')) return
  for (const probe of foreign) {
    const status = await statusAt(simulation, node, probe, key.text)
    if (status !== null && status !== 404 && status !== 503 && status !== 429)
      throw new Violation(
        `${probe.method} ${probe.path} of another account was answered ${status} to account ${account.number}; expected: 404`,
      )
  }
}

async function checkPages(simulation: Simulation, key: Key, path: string, expected: readonly string[]): Promise<void> {
  const limit = 1 + Math.floor(simulation.world.random() * 3)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null && seen.length <= expected.length + limit; ) {
    const page: string = `${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { body } = await simulation.demand<Page>(200, { method: 'GET', path: page }, key.text)
    if (body.data.length === 0 && cursor !== '')
      throw new Violation(`${path} by ${limit} has an empty page after the last of ${expected.length}`)
    seen.push(...body.data.map(({ id }) => id))
    cursor = body.next_cursor
  }
  if (seen.toSorted().join() !== expected.toSorted().join())
    throw new Violation(`${path} by ${limit} lists ${seen.join(', ')}; expected: ${expected.join(', ')}`)
}

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

const SCOPES = ['read', 'watch', 'report', 'review', 'admin']

/** A key makes one with some scopes: no more, and no longer, than its own. */
export async function keyMakesKey(simulation: Simulation, account: Account, random: Random): Promise<string> {
  const { world } = simulation
  const expiring = account.keys.filter(
    (each) => each.expiresAt !== null && admissionOf(each, 'watch', world.now) === 200,
  )
  const key = pick(random, expiring.length > 0 && random() < 0.5 ? expiring : account.keys)
  const usual = key.scopes.filter(() => random() < 0.6)
  const scopes = random() < 0.5 ? [pick(random, SCOPES)] : usual.length === 0 ? ['read'] : usual
  const admission = admissionOf(key, 'watch', world.now)
  const mayGive = scopes.every((scope) => admissionOf(key, scope, world.now) === 200)
  const expected = admission !== 200 ? admission : mayGive ? 201 : 403
  const { answer, span } = await simulation.ask(
    { method: 'POST', path: '/v1/keys', body: { name: 'a key of a key', scopes } },
    key.text,
  )
  const isCertain = account.changed.answered < span.asked && (key.expiresAt ?? Infinity) > span.answered
  if (isCertain && key.revoked === null && answer.status !== expected)
    throw new Violation(
      `a key of a ${account.role} with ${key.scopes.join(', ')} asked for one with ${scopes.join(', ')}: ${answer.status}; expected: ${expected}`,
    )
  if (answer.status !== 201) return `account ${account.number} gets no key from its key: ${answer.status}`
  const made = JSON.parse(answer.text) as { id: string; key: string; expires_at: string | null }
  const expiresAt = made.expires_at === null ? null : Date.parse(made.expires_at)
  if (expiresAt !== key.expiresAt)
    throw new Violation(`a key until ${key.expiresAt} made one until ${expiresAt}, without being asked to`)
  account.keys.push({ id: made.id, text: made.key, account, scopes, expiresAt, revoked: null })
  return `account ${account.number} gets a key from its key`
}

/** An admin with a lesser key invites an editor: nobody gives what he lacks. */
export async function inviteWithLess(simulation: Simulation, random: Random): Promise<string> {
  const { world } = simulation
  const isAdmin = ({ role, status, changed }: Account) =>
    role === 'admin' && status === 'active' && changed.answered < world.now
  const admin = simulation.accountOf(random(), isAdmin)
  if (admin === undefined) return 'nothing: there is no admin'
  const given = await simulation.ask({
    method: 'POST',
    path: `/v1/admin/accounts/${admin.id}/keys`,
    body: { name: 'a lesser key', scopes: ['read', 'admin'] },
  })
  if (given.answer.status !== 201 && admin.changed.answered >= given.span.asked)
    return `account ${admin.number} is no admin any more`
  const body = parsed<{ id: string; key: string }>(201, given.answer)
  const invited = { email: `editor${++simulation.watched}@example.org`, name: 'Ada', role: 'editor' }
  const path = '/v1/admin/accounts'
  const { answer, span } = await simulation.ask({ method: 'POST', path, body: invited }, body.key)
  await simulation.demand(200, { method: 'DELETE', path: `/v1/admin/keys/${body.id}` })
  if (answer.status !== 403 && admin.changed.answered < span.asked)
    throw new Violation(`a key that only reads and administers invited an editor: ${answer.status}`)
  return `account ${admin.number} cannot invite an editor with a lesser key`
}

/**
 * Strangers get keys with the address of a person, before and while the person proves it by two
 * links at once: exactly one account gets the address, and none of theirs.
 */
export async function contestAddress(simulation: Simulation, random: Random): Promise<string> {
  const { network } = simulation
  const number = ++simulation.watched
  const email = `contested${number}@example.org`
  const from = clientAddress(number)
  const strangers: string[] = []
  const claim = async () => {
    const request = { method: 'POST', path: '/v1/keys', body: { email: email.toUpperCase() }, from }
    strangers.push((await simulation.demand<{ key: string }>(201, request, null)).body.key)
  }
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) await claim()
  const request = { method: 'POST', path: '/v1/sessions/link', body: { email }, from }
  for (const _ of [1, 2]) await simulation.demand(202, request, null)
  const mails = () => network.mails.filter(({ to }) => to === email)
  for (let waited = 0; mails().length < 2 && waited < 60; waited++) await simulation.sleep(1000)
  const tokens = mails().map(({ text }) => /sign-in\?token=([\w-]+)/.exec(text)![1]!)
  if (tokens.length === 0) return `strangers claim ${email}, whose mails were lost`
  const before = strangers.length
  const signedIn = tokens.map((token) =>
    simulation.ask({ method: 'POST', path: '/v1/sessions', body: { token } }, null),
  )
  await claim()
  const ids = new Set<string>()
  let expired = 0
  for (const { answer, tries } of await Promise.all(signedIn)) {
    // Clocks that are ahead by up to an hour: a link lives for a quarter of it.
    if (answer.text.includes('"expired_link"')) expired++
    // It signs in once: repeated after a lost answer, it was used.
    else if (answer.status !== 410 || tries === 1)
      ids.add(parsed<{ account: { id: string } }>(201, answer, 'a sign-in').account.id)
  }
  const found = await simulation.demand<{ data: { id: string; email_claimed: boolean }[] }>(200, {
    method: 'GET',
    path: `/v1/admin/accounts?email=${email}`,
  })
  if (expired === signedIn.length) return `strangers claim ${email}, whose links have expired`
  const owners = found.body.data.filter((account) => !account.email_claimed).map(({ id }) => id)
  if (owners.length !== 1 || [...ids].some((id) => id !== owners[0]))
    throw new Violation(`${email} is owned by ${owners.join(', ') || 'nobody'}, and signs in to ${[...ids].join(', ')}`)
  for (const [index, key] of strangers.entries()) {
    type Me = { account: { id: string; email: string | null; email_verified: boolean } }
    const { account } = (await simulation.demand<Me>(200, { method: 'GET', path: '/v1/me' }, key)).body
    if (account.id === owners[0] || account.email_verified)
      throw new Violation(`a stranger's key is one of the account that has proved ${email}`)
    if (index < before && account.email !== null)
      throw new Violation(`a stranger names ${email}, which another has proved since`)
  }
  return `${strangers.length} strangers claim ${email}, whose owner proves it`
}

/** The owner of an account saves an area or a list of sites; a key in web pages cannot use them. */
export async function saveArea(simulation: Simulation, account: Account, key: Key, random: Random): Promise<string> {
  const number = ++simulation.watched
  const isList = account.sites.length < 2 && random() < 0.4
  const [lat, lng] = [9 + random() * 3, 6 + random() * 3]
  const path = isList ? '/v1/sites' : '/v1/areas'
  const place = isList
    ? { sites: [{ name: `Site ${number}`, latitude: lat, longitude: lng, radius_km: 5 }] }
    : { circle: { lat, lng, radius_km: 5 } }
  const { answer, span } = await simulation.ask(
    { method: 'POST', path, body: { name: `Place ${number}`, ...place } },
    key.text,
  )
  if (answer.status !== 201) return refusedUnlessChanged(`saving ${path}`, key, span, answer)
  const { id } = JSON.parse(answer.text) as { id: string }
  if (isList) account.sites.push(id)
  else account.areas.push(id)
  if (isList || random() < 0.5) return `account ${account.number} saves ${path}`
  const made = await simulation.ask({ method: 'POST', path: '/v1/keys', body: { kind: 'publishable' } }, key.text)
  if (made.answer.status !== 201) return refusedUnlessChanged('a publishable key', key, made.span, made.answer)
  const { id: keyId, key: text } = JSON.parse(made.answer.text) as { id: string; key: string }
  const asked = await simulation.ask({ method: 'GET', path: `/v1/incidents?area=${id}&limit=1` }, text)
  await simulation.demand(200, { method: 'DELETE', path: `/v1/admin/keys/${keyId}` })
  if (asked.answer.status !== 403 && asked.answer.status !== 401)
    throw new Violation(`a publishable key used a saved area: ${asked.answer.status}`)
  return `account ${account.number} saves an area, which a publishable key cannot use`
}

/** A refusal is right only if the rights of the key changed, or its account has too many. */
function refusedUnlessChanged(what: string, key: Key, span: Span, { status, text }: Answer): string {
  const { account, revoked } = key
  if (account.status === 'active' && account.changed.answered < span.asked && revoked === null && status !== 409)
    throw new Violation(`${what} was refused: ${status} ${text.slice(0, 300)}`)
  return `${what} is refused: ${status}`
}
