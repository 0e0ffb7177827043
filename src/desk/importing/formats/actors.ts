import { BoundedCache } from '../../../lib/bounded-cache.ts'

/** Whole words in UCDP's and ACLED's actor names, in any case; a name may have several kinds. */
export const ACTORS = {
  state: words('government of, military forces, police forces, army, navy, air force, joint task force'),
  insurgents: words(`
    jamaatu ahlis sunna, boko haram, jas, is, islamic state, iswap, ansaru, ahlul sunnah jamaa, darul salam,
    lakurawa, mahmuda, jnim`),
  separatists: words('ipob, biafra, massob, eastern security network, esn, ambazonia, ambazonian, yoruba nation'),
  militants: words('ndpvf, mend, niger delta avengers, fndic, niger delta militia'),
  pirates: words('pirates, pirate'),
  bandits: words(`
    bandits, bandit, kidnappers, yan bindiga, yan taadda, zamfara communal militia, katsina communal militia`),
  vigilantes: words('yan gora, civilian jtf, yan sakai, vigilante, vigilantes, bakassi boys, hunters'),
  cults: words(`
    cult, confraternity, black axe, aiye, eyie, eiye, deebam, deewell, greenlanders, icelanders, ndv, maphite,
    vikings, buccaneers, klansmen, kk, bush boys, outlaws`),
  gangs: words('nurtw, gang, forces of, area boys'),
  parties: words('supporters of, apc, pdp, anpp, acn, political thugs'),
  faiths: words('christians, muslims, christian militia, muslim militia, shia, shiite'),
  herders: words('fulani, herders, herdsmen, pastoralists'),
} as const
export type Actor = keyof typeof ACTORS

function words(list: string): readonly string[] {
  return list.trim().split(/,\s+/)
}

const PATTERNS = (Object.keys(ACTORS) as Actor[]).map((actor) => ({
  actor,
  pattern: new RegExp(`(?<![a-z0-9])(${ACTORS[actor].join('|')})(?![a-z0-9])`),
}))

const actorsByName = new BoundedCache<string, ReadonlySet<Actor>>(10_000)

/** Cached, because files repeat a few hundred names. */
export function actorsIn(name: string): ReadonlySet<Actor> {
  let actors = actorsByName.get(name)
  if (actors === undefined) {
    const plain = name.toLowerCase().replace(/['’‘`]/g, '')
    actors = new Set(PATTERNS.filter(({ pattern }) => pattern.test(plain)).map(({ actor }) => actor))
    actorsByName.set(name, actors)
  }
  return actors
}
