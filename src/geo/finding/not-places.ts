const list = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '')

/** Words that are also names of places, but hardly ever mean them in news. */
export const NOT_PLACES: ReadonlySet<string> = new Set([
  ...list(
    'nigeria nigerian africa african west western north northern south southern east eastern central upper lower',
  ),
  ...list('boko haram iswap islamic islamist islamists jihadist fulani hausa tiv igbo ijaw birom berom jukun yoruba'),
  ...list('tarok eggon kanuri itsekiri urhobo atyap irigwe agatu mambila mumuye ibibio efik idoma igala nupe gwari'),
  ...list('ogoni bachama shuwa mada alago bassa egbura ebira'),
  ...list('army police navy force forces troops soldiers command camp base barracks market church mosque school war'),
  ...list('monday tuesday wednesday thursday friday saturday sunday january february march april may june july'),
  ...list('august september october november december day week month year one two three four five six seven eight'),
  ...list(
    'nine ten hundred the a an and or of in at on to by for from with near after before over again many some all',
  ),
  ...list('new old big general major captain colonel sergeant chief imam pastor bishop sheikh mallam malam alhaji'),
  ...list('hajiya mr mrs dr prof senator governor president minister commissioner inspector spokesman justice'),
  ...list('musa ali sani garba ibrahim usman bello abdullahi mohammed muhammad muhammadu abubakar umar yusuf aliyu'),
  ...list('ahmed ahmad adamu isa haruna suleiman sule shehu hassan hussaini idris yakubu john peter james paul david'),
  ...list('samuel emmanuel joseph buhari jonathan tinubu shekau obi atiku goodluck isah lawal kabiru nasir'),
  ...list('man men woman women boy boys girl girls people person villagers village villages town towns city state'),
  ...list('states local government area council lga ward district community communities road street forest bush'),
  ...list('attack attacks killed kill kills dead death bomb bombs blast fire gun gunmen raid raids clash clashes'),
  ...list(
    'god allah christian christians muslim muslims daily trust punch guardian vanguard nation leadership premium',
  ),
  ...list('times reuters afp ap bbc nan this video update breaking title situation volume number press release'),
  ...list('operation lafiya dole safe haven hadin kai hope peace gate garage junction camp house farm farms base'),
  ...list('niger delta river rivers lake plateau island mountain hill hills ife ado oke ile'),
  ...list('yan sakai civilian joint task multinational bandit bandits herder herders herdsmen farmer farmers'),
  ...list('kidnap rescue rescued suspected unknown armed security public private primary secondary federal'),
  ...list(
    'more mob fresh death toll deadly terror terrorists terrorist insurgents insurgent militants militant suspected',
  ),
  ...list(
    'children students pupils worshippers farmers hunters vigilante vigilantes bodies houses burnt burned abducted',
  ),
  ...list('kidnapped injured wounded feared least about official officials residents witnesses resident leader member'),
  ...list('members under how why what not now also two out off up down back again another other others several scores'),
  ...list(
    'hundreds dozens male female suicide bomber bombers bombing explosion grenade gun guns ammunition weapons arms',
  ),
  ...list(
    'air force naf dhq jtf mnjtf cjtf idp idps lg boss hand group gang cult party pdp apc anpp acn ad rally court',
  ),
  ...list(
    'crisis conflict violence violent tension ethnic tribal religious land dispute reprisal revenge peace curfew',
  ),
  ...list('was were is are has have had been will would when where while who whose their his her its they he she it'),
  ...list('ya ta da na ba mai yan dan fire sun suka'),
])

/** A word before a name that makes it a person's: "Governor Zulum", "Alhaji Musa Gwoza". */
export const PERSON_TITLES: ReadonlySet<string> = new Set([
  ...list('mr mrs ms dr prof professor alhaji hajiya chief malam mallam sheikh imam pastor reverend rev bishop gen'),
  ...list('general major maj captain capt colonel col lieutenant lt sergeant sgt corporal brigadier brig inspector'),
  ...list(
    'asp dsp csp acp dcp cp igp ig commissioner senator sen hon honourable barrister barr governor gov president',
  ),
  ...list('minister justice spokesman spokesperson spokeswoman comrade engr engineer king emir oba eze igwe prince'),
])
