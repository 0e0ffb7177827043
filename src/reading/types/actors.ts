import { rule } from '../rule.ts'

/** Who acts, or is acted upon. Hausa and Pidgin words stand beside the English ones. */
export const ACTORS = [
  rule(
    'insurgents',
    "boko[- ]?haram\\w*|b/haram|b'haram|bh|iswap|is(?:-backed|-linked| claims?| militants?| fighters)|isis|islamic state|jama'?atu \\w+|ansaru|insurgents?|jihad\\w*|islamists?|islamic (?:sect|extremists?|militants?)|terrorists?|terror (?:group|gang)|extremists?|ahlul sunnah\\w*|lakurawa|mahmuda|mayakan boko haram|yan ta'?adda|sect members?|shekau|suicide bombers?|al[- ]barnawi|militant islam\\w*",
    'Boko Haram fighters stormed the town',
  ),
  rule(
    'bandits',
    "(?:armed )?bandits?|banditry|yan bindiga|'?yan fashi(?:n daji)?|barayin daji|marauders|invaders",
    "'Yan bindiga sun kashe mutum biyar",
  ),
  rule(
    'separatists',
    'ipob|eastern security network|esn|massob|biafra\\w*|separatists?|sit-at-home|oodua peoples? congress|opc|yoruba nation',
    'IPOB members enforced a sit-at-home',
  ),
  rule(
    'cultists',
    '(?:rival |suspected )?cult(?:s|ists?|ism)?(?: groups?| members| gangs?| clash\\w*| war)?|confraternit\\w+|black axe|ai?ye(?: confraternity| boys)?|eiye|eyie|vikings|buccaneers|maphite|deebam|dey ?well|deewell|icelanders?|greenlanders?|bush boys|aro bagger|skull',
    'Suspected cultists killed two students',
  ),
  rule(
    'militants',
    'niger delta (?:militants?|avengers|vigilante)|mend|avengers|ndpvf|ndv|fndic|creek militants?|ex-militants?|militiamen|militants?',
    'Niger Delta militants blew up a line',
  ),
  rule(
    'herders',
    'fulani\\w*|herders?|herdsm[ae]n|cattle (?:rearers?|breeders)|pastoralists?|makiyaya|nomads?',
    'Suspected herdsmen killed four farmers',
  ),
  rule('farmers', 'farmers?|manoma|farming communit\\w+|tiv farmers', 'Farmers and herders fought'),
  rule(
    'troops',
    'troops?|soldiers?|army|military|nigerian air ?force|air ?force|naf|navy|jtf|mnjtf|joint task force|special forces|dhq|defen[cs]e headquarters|security (?:forces|operatives|personnel|agents)|sojoji|soja|fighter jets?|operation (?:lafiya dole|hadin kai|safe haven|whirl stroke|sharan daji|hadarin daji)|cameroon(?:ian)? troops|counter[- ]insurgen\\w+',
    'Troops killed ten insurgents',
  ),
  rule(
    'police',
    'police(?:m[ae]n|wom[ae]n)?|policing|sars|dpo|yan sanda|mobile police|nscdc|civil defen[cs]e|dss|sss|customs officers?|prison (?:guards|warders?)',
    'Police officers were ambushed',
  ),
  rule(
    'vigilantes',
    'vigilantes?|cjtf|civilian jtf|civilian joint task force|hunters|yan ?sakai|yan ?gora|yan banga|amotekun|volunteer guards?',
    'Vigilantes repelled the raid',
  ),
  rule('robbers', 'armed robbers?|robbers?|robbery gang|thieves|hoodlums|one chance', 'Armed robbers attacked a bank'),
  rule('kidnappers', 'kidnappers?|abductors?|masu garkuwa(?: da mutane)?', 'Kidnappers seized a doctor'),
  rule('pirates', 'pirates?|sea robbers?', 'Pirates boarded a tanker'),
  rule(
    'thugs',
    'political thugs?|party thugs|thugs|pdp|apc|anpp|acn|apga|supporters of|party supporters|rival part(?:y|ies)',
    'Political thugs attacked a rally',
  ),
  rule(
    'communities',
    '(?:rival |warring |neighbou?ring )(?:communit\\w+|villages|clans|ethnic groups|tribes|groups|youths)|ethnic (?:clash\\w*|violence|militia\\w*|fighting|feud)|tribal|(?<!\\b(?:in|at|near|of) )(?:tiv|jukun|junkun|ijaw|itsekiri|urhobo|modakeke|ezza|ezilo|umuleri|aguleri|bachama|bwatiye|mumuye|kuteb|eggon|ombatse|hausa|yoruba|igbo|berom|birom|tarok|irigwe|idoma|igala|ebira|chamba|ichen|sayawa|ogoni|okrika|ilaje|efik|ibibio|egbura|kadara|adara|atyap|kataf|mambil\\w+|yandang)',
    'Two rival communities fought over land',
  ),
  rule(
    'faiths',
    "christians? (?:and|versus|vs\\.?) muslims?|muslims? (?:and|versus|vs\\.?) christians?|muslim[- ]christian|christian[- ]muslim|(?:muslim|christian) (?:youths?|mobs?|rioters)|religious (?:violence|riots?|clash\\w*|crisis|fighting)|sectarian|sharia|religious \\w+|shi['’]?ites?",
    'Christian and Muslim youths clashed',
  ),
  rule(
    'crowd',
    'mobs?|angry (?:residents|youths?|crowd|mob)|irate (?:youths?|mob|residents)|jungle justice|lynch\\w*|crowd',
    'An angry mob burnt two suspects',
  ),
  rule(
    'gunmen',
    'gunm[ae]n|unknown gunmen|armed (?:men|gang|group|attackers|assailants)|assailants?|attackers?|hoodlums|yan bindigar da ba a san|militia\\w*',
    'Gunmen opened fire on worshippers',
  ),
] as const

export type Actor = (typeof ACTORS)[number]['means']
