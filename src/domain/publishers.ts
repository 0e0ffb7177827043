/** Weight of the best source by class, descending, in hundredths. A class is no judgement. */
export const SOURCE_WEIGHTS = {
  official: 44,
  international: 44,
  national: 42,
  research: 42,
  local: 34,
  unknown: 24,
  aggregator: 20,
  social: 12,
} as const satisfies Record<string, number>
export type SourceClass = keyof typeof SOURCE_WEIGHTS
export const SOURCE_CLASSES = Object.keys(SOURCE_WEIGHTS) as readonly SourceClass[]

export const SOURCE_CLASS_DESCRIPTIONS = {
  official: 'Police, army, government, emergency services',
  international: 'News agencies and media that report from many countries',
  national: 'Newspapers, stations and sites that report from all of Nigeria',
  research: 'Organisations that collect and check incidents, or investigate them on the spot',
  local: "One city's, one state's or one region's media",
  unknown: 'Publishers that no table lists',
  aggregator: 'Sites that repeat what others have published',
  social: 'Posts and accounts on social media',
} as const satisfies Record<SourceClass, string>

/** Well-known publishers with their other names. The operator's entries take precedence. */
export const PUBLISHERS: Readonly<Partial<Record<SourceClass, readonly (readonly string[])[]>>> = {
  official: [
    ['Nigeria Police Force', 'Nigeria Police', 'Nigerian Police', 'NPF', 'npf.gov.ng'],
    ['Nigerian Army', 'Nigeria Army', 'army.mil.ng'],
    ['Nigerian Navy', 'navy.mil.ng'],
    ['Nigerian Air Force', 'NAF', 'airforce.mil.ng'],
    ['Defence Headquarters', 'DHQ', 'Defence Headquarters Nigeria'],
    ['Department of State Services', 'DSS', 'State Security Service'],
    ['Nigeria Security and Civil Defence Corps', 'NSCDC'],
    ['National Emergency Management Agency', 'NEMA'],
    ['Federal Road Safety Corps', 'FRSC'],
    ['Independent National Electoral Commission', 'INEC'],
    ['United Nations', 'UN', 'OCHA', 'UNHCR', 'UN OCHA'],
  ],
  international: [
    ['Reuters', 'Reuters News', 'Thomson Reuters'],
    ['Agence France-Presse', 'AFP'],
    ['Associated Press', 'AP', 'AP News', 'apnews.com'],
    ['BBC', 'BBC News', 'BBC Hausa', 'BBC Pidgin', 'BBC Monitoring', 'BBC Monitoring Africa'],
    ['Voice of America', 'VOA', 'VOA Hausa', 'VOA News'],
    ['Deutsche Welle', 'DW', 'DW Hausa'],
    ['Radio France Internationale', 'RFI', 'RFI Hausa'],
    ['France 24'],
    ['Al Jazeera', 'Aljazeera'],
    ['CNN', 'CNN International'],
    ['Xinhua', 'Xinhua News Agency'],
    ['Anadolu Agency', 'Anadolu', 'aa.com.tr'],
    ['Bloomberg', 'Bloomberg News'],
    ['The New York Times', 'nytimes.com'],
    ['The Washington Post'],
    ['Financial Times', 'ft.com'],
    ['dpa', 'Deutsche Presse-Agentur'],
    ['UPI', 'United Press International'],
    ['EFE', 'Agencia EFE'],
  ],
  national: [
    ['News Agency of Nigeria', 'NAN', 'nannews.ng'],
    ['Punch', 'The Punch', 'Punch Newspapers', 'Punch NG', 'punchng.com'],
    ['Vanguard', 'Vanguard News', 'vanguardngr.com'],
    ['Premium Times', 'premiumtimesng.com'],
    ['Daily Trust', 'Media Trust', 'Weekly Trust', 'dailytrust.com.ng'],
    ['The Guardian Nigeria', 'Guardian Nigeria', 'guardian.ng'],
    ['ThisDay', 'This Day', 'ThisDay Live', 'thisdaylive.com'],
    ['The Nation', 'The Nation Online', 'thenationonlineng.net'],
    ['The Sun Nigeria', 'The Sun', 'Daily Sun', 'sunnewsonline.com'],
    ['Nigerian Tribune', 'Tribune', 'tribuneonlineng.com'],
    ['Leadership', 'leadership.ng'],
    ['Daily Post', 'dailypost.ng'],
    ['Channels Television', 'Channels', 'Channels TV', 'channelstv.com'],
    ['Arise News', 'Arise TV', 'arise.tv'],
    ['TVC News', 'TVC'],
    ['Nigerian Television Authority', 'NTA', 'NTA News'],
    ['African Independent Television', 'AIT'],
    ['TheCable', 'The Cable', 'thecable.ng'],
    ['Sahara Reporters', 'saharareporters.com'],
    ['HumAngle', 'HumAngle Media', 'humanglemedia.com'],
    ['Peoples Gazette', 'gazettengr.com'],
    ['BusinessDay', 'Business Day', 'businessday.ng'],
    ['Blueprint', 'blueprint.ng'],
    ['Daily Independent', 'Independent Nigeria', 'independent.ng'],
    ['New Telegraph', 'newtelegraphng.com'],
    ['PM News', 'P.M. News', 'pmnewsnigeria.com'],
    ['Foundation for Investigative Journalism', 'FIJ', 'fij.ng'],
    ['International Centre for Investigative Reporting', 'ICIR', 'icirnigeria.org'],
    ['Ripples Nigeria', 'ripplesnigeria.com'],
    ['Legit.ng', 'Legit'],
    ['Pulse Nigeria', 'pulse.ng'],
    ['Daily Nigerian', 'dailynigerian.com'],
  ],
  research: [
    ['UCDP', 'UCDP GED', 'Uppsala Conflict Data Program'],
    ['ACLED', 'Armed Conflict Location and Event Data'],
    ['Nigeria Watch', 'nigeriawatch.org'],
    ['Amnesty International'],
    ['Human Rights Watch', 'HRW', 'hrw.org'],
    ['International Crisis Group', 'Crisis Group', 'CrisisWatch', 'Crisis Watch'],
    ['SBM Intelligence', 'sbmintel.com'],
    ['Beacon Security and Intelligence', 'Beacon Consulting', 'Beacon Security'],
    ['Council on Foreign Relations', 'CFR', 'Nigeria Security Tracker'],
    ['Africa Research Bulletin'],
  ],
  local: [
    ['Katsina Post'],
    ['Kano Focus', 'kanofocus.com'],
    ['Solacebase'],
    ['Freedom Radio'],
    ['Daily Reality'],
    ['Yerwa Express News', 'Yerwa Express'],
    ['The Tide', 'thetidenewsonline.com'],
    ['The Hope', 'thehopenewspaper.com'],
    ['The Pointer'],
    ['Nigerian Observer'],
    ['Nigerian Chronicle'],
    ['Osun Defender'],
    ['The Beam'],
    ['ViewPointNigeria', 'View Point Nigeria'],
  ],
  aggregator: [
    ['AllAfrica', 'All Africa', 'allafrica.com'],
    ['Yahoo News', 'Yahoo'],
    ['MSN'],
    ['Google News'],
    ['Opera News'],
    ['ReliefWeb'],
  ],
  social: [
    ['Nairaland', 'Nairaland Forum', 'nairaland.com'],
    ['X', 'Twitter', 'x.com', 'twitter.com'],
    ['Facebook', 'facebook.com'],
    ['WhatsApp'],
    ['Telegram', 't.me'],
    ['TikTok'],
    ['Instagram'],
    ['YouTube'],
  ],
}

/** Looks up the class of a publisher; `unknown` if no table lists it. */
export type Reliability = (publisher: string) => SourceClass

/** Longer than any real publisher name; bounds the cost of normalizing a huge one. */
const MAX_NAME_LENGTH = 200
const SITE = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:\/.*)?$/
const ARTICLE = /^the /
const KIND = / (?:news|newspapers?|online|nigeria|ng|tv|television|media)$/

/** Returns one key for `The PUNCH Newspapers` and `punch`, one for `AFP` and its full name. */
export function publisherKey(publisher: string): string {
  const key = nameKey(publisher)
  return KNOWN.get(key)?.key ?? key
}

function nameKey(publisher: string): string {
  const name = publisher.slice(0, MAX_NAME_LENGTH).normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').trim()
  const site = SITE.exec(name)
  if (site) return site[1]!
  const words = name.replace(/['’‘ʼ]/g, '').replace(/[^\p{L}\p{N}@]+/gu, ' ')
  let bare = words.trim().replace(ARTICLE, '')
  while (KIND.test(bare)) bare = bare.replace(KIND, '')
  return bare
}

const KNOWN = /* @__PURE__ */ knownPublishers()

function knownPublishers(): ReadonlyMap<string, { readonly key: string; readonly kind: SourceClass }> {
  const pairs = SOURCE_CLASSES.flatMap((kind) =>
    (PUBLISHERS[kind] ?? []).flatMap((names) => {
      const known = { key: nameKey(names[0]!), kind }
      return names.map((name) => [nameKey(name), known] as const)
    }),
  )
  return new Map(pairs)
}

/** The operator's entries take precedence over the built-in table. */
export function reliabilityFrom(edits: Iterable<readonly [publisher: string, kind: SourceClass]> = []): Reliability {
  const edited = new Map([...edits].map(([publisher, kind]) => [publisherKey(publisher), kind] as const))
  return (publisher) => {
    const key = publisherKey(publisher)
    return edited.get(key) ?? KNOWN.get(key)?.kind ?? (key.startsWith('@') ? 'social' : 'unknown')
  }
}

const OFFICIAL = /\b(army|police|navy|air force|ministry|defence headquarters|government of nigeria|nscdc|nema)\b/i

/** A longer name is usually the title of a study about an official body. */
const MAX_OFFICE_NAME_LENGTH = 40

export function isOfficialPublisher(publisher: string): boolean {
  return publisher.length <= MAX_OFFICE_NAME_LENGTH && OFFICIAL.test(publisher)
}
