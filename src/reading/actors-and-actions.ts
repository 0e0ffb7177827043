import { rule } from './sentences.ts'

/** The people who act or are acted upon. Hausa and Pidgin words stand beside the English ones. */
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

/** The things that happen. Hausa and Pidgin words stand beside the English ones. */
export const ACTIONS = [
  rule(
    'air strike',
    'air[- ]?strikes?|air raids?|air (?:assault|bombardment|interdiction)|aerial (?:bombardment|attack)\\w*|(?:fighter )?jets? (?:bomb|pound|hit|attack|kill|destroy)\\w*|(?:naf|air ?force)[^.;]{0,60}\\b(?:bomb|destroy|neutrali[sz]|kill|hit|strike|pound|raz|air ?craft|jet|decimat)\\w*|luguden wuta|bombard\\w*',
    'An air strike hit the camp',
  ),
  rule(
    'explosion',
    'bomb(?:s|ed|ing|ings|er|ers)?|suicide (?:attacks?|mission|blasts?|vests?)|blasts?|explosions?|explod\\w+|explosive (?:device|s)\\w*|improvised explosive|ieds?|land ?mines?|mines? explo\\w+|roadside (?:bomb|mine)|grenades?|detonat\\w+|kunar bakin wake|bam(?:u)? ya (?:tashi|fashe)|nakiya|bomb (?:don )?(?:blow|burst|explode)|mortar|shell(?:s|ed|ing)',
    'A roadside bomb killed three',
  ),
  rule(
    'abduct',
    'abduct(?:s|ed|ing|ion|ions)?|kidnap(?:s|ped|ping|pings|ped)?|kidnappers? (?:seiz|tak|snatch)\\w*|whisk(?:ed|s|ing)? (?:away|off)|taken (?:away|hostage|captive)|took (?:away|hostages?|captive)|seized? (?:\\w+ )?(?:passengers|students|women|girls|travellers|villagers|hostages)|hostages? taken|taken hostage|an? (?:sace|yi garkuwa)|sun sace|sace|garkuwa|carry (?:am|dem|people) go|don kidnap',
    "'Yan bindiga sun sace dalibai",
  ),
  rule(
    'release',
    '(?:rescu|freed|free |release|regain|escap)\\w*[^.;]{0,80}\\b(?:hostages?|captives?|victims?|abduct\\w*|kidnap\\w*|schoolgirls?|girls|students|women|freedom|people)|(?:hostages?|captives?|abduct\\w* \\w+|kidnap\\w* \\w+|schoolgirls?|students)[^.;]{0,60}\\b(?:rescued|freed|released|regain\\w*|escaped?)|an (?:sako|ceto|kubutar)',
    'Troops rescued 45 captives',
  ),
  rule(
    'rustle',
    'cattle[- ](?:rustl|raid)\\w*|rustl(?:ed|ing|ers?)|(?:stole|stolen|stealing|carted away|made away with|rustl\\w+)[^.;]{0,40}\\b(?:cattle|cows|livestock|sheep)|satar shanu',
    'They rustled 300 cows',
  ),
  rule(
    'highway robbery',
    '(?:rob\\w*|attack\\w*|dispossess\\w*|waylay|waylaid|held up)[^.;]{0,60}\\b(?:travell?ers|passengers|commuters|motorists|highway)|highway robbe\\w+',
    'Robbers dispossessed travellers',
  ),
  rule(
    'robbery',
    'rob(?:s|bed|bing)|robber(?:y|ies)|bank (?:raid|heist)|(?:made|make) away with (?:[\\w-]+ ){0,3}(?:n\\d\\S*|₦\\S+|cash|money|phones|valuables)|fashi da makami|(?:burgl|loot)\\w* (?:shops?|bank)|armed robbers?|dem rob|don rob',
    'Armed men robbed a bank',
  ),
  rule('assassinate', 'assassinat\\w+|attempt on (?:the|his|her) life', 'A politician was assassinated'),
  rule(
    'piracy',
    '(?:pirates?|sea robbers?|hijack\\w*|board(?:ed|s)|attack\\w*)[^.;]{0,60}\\b(?:vessels?|tankers?|ships?|crew|passenger boats?|speedboats?|trawlers?)|sea pira\\w+|piracy',
    'Pirates hijacked a tanker',
  ),
  rule(
    'pipeline',
    '(?:pipelines?|oil (?:wells?|facility|installations?)|flow ?stations?|manifold)[^.;]{0,60}\\b(?:vandal|blow|blew|bomb|attack|rupture|explo|breach|destroy|sabotage|tapp|fire)\\w*|(?:vandal|blow|blew|bomb|detonat|explosive|target|attack|rupture|breach|destroy|sabotage|illegal(?:ly)?)\\w*[^.;]{0,60}\\b(?:pipelines?|refiner(?:y|ies)|oil (?:wells?|facility|installations?)|flow ?stations?)|bunkering|oil theft',
    'Vandals blew up a crude pipeline',
  ),
  rule(
    'infrastructure',
    '(?:blow|blew|bomb|destroy|attack|vandal|sabotage|burn|burnt|cut|damag)\\w*[^.;]{0,50}\\b(?:power (?:lines?|towers?|station)|electricity|transmission (?:lines?|towers?)|pylons?|rail(?:way)? (?:tracks?|line)|bridges?|telecom\\w*|masts?|transformers?|substation)|(?:bridges?|pylons?|masts?|rail(?:way)? (?:tracks?|line)|transmission (?:lines?|towers?))[^.;]{0,40}\\b(?:blown|bombed|destroyed|vandali[sz]ed|burnt|attacked)',
    'Gunmen destroyed two transmission towers',
  ),
  rule(
    'lynch',
    'lynch(?:ed|es|ing)?|jungle justice|(?:mobs?|crowd|irate \\w+|angry \\w+)[^.;]{0,60}\\b(?:beat|burn|burnt|set|kill|attack|stone|ston)\\w*|burnt alive|beaten to death|set ablaze[^.;]{0,30}suspect\\w*',
    'A mob lynched a suspected thief',
  ),
  rule(
    'riot',
    'riot(?:s|ed|ers?|ing)?|rampage|looting|went on (?:the|a) rampage|tarzoma|mayhem',
    'Rioters burnt shops',
  ),
  rule(
    'protest',
    'protest(?:s|ed|ers?|ing)?|demonstrat(?:ed|ors?|ion|ions|ing)|blocked? (?:the )?(?:road|highway|expressway)|barricad\\w+|march(?:ed)? (?:to|on|through)|picket\\w*|zanga[- ]zanga|street march',
    'Women protested at the government house',
  ),
  rule(
    'clash',
    'clash(?:es|ed|ing)?|fight(?:ing|s)?|fought|battles?|gun ?(?:battle|fight|duel)|shoot ?-?out|crossfire|exchange of (?:fire|gunfire)|skirmish\\w*|feud|rikici|fada|conflict|crisis|reprisals?|versus|vs\\.?|encounter|war between',
    'Farmers and herders clashed',
  ),
  rule(
    'kill',
    'kill(?:s|ed|ing|ings)?|(?:haram)?kills?|dead|deaths?|die[ds]?|dying|murder\\w*|massacre\\w*|slain|slay\\w*|slaughter\\w*|shot|shoot\\w*|gun(?:s|ned|ning)? down|behead\\w*|execut(?:ed|es|ions?)|hack(?:ed|s) (?:to death|down)?|machet\\w+|stabb\\w+|butcher\\w*|lost their lives|claim(?:ed|s|ing)? (?:[\\w-]+ ){1,4}lives|claim(?:ed|s) \\d+|neutrali[sz]\\w+|eliminat\\w+|bodies|corpses?|bloodbath|bloodletting|carnage|casualt\\w+|kashe|kisan|mutu(?:wa|war)?|sanadin|rasu|halaka|don die|don kill|kpai|kpeme|crushed to death',
    'Gunmen killed seven people',
  ),
  rule(
    'attack',
    'attack(?:s|ed|ing)?|raid(?:s|ed|ing)?|storm(?:s|ed|ing)?|invad\\w+|invasion|ambush\\w*|assault\\w*|opened fire|open fire|fired (?:on|at)|sack(?:s|ed) (?:\\w+ )?(?:villages?|communit\\w+)|overr[ua]n|raz(?:e|es|ed|ing)|set (?:\\w+ )?(?:ablaze|fire|on fire)|burn(?:t|ed|s|ing)?(?: down)?|torch(?:ed|es|ing)?|besieg\\w+|pounc\\w+|struck|strikes?|hits?|captur\\w+|seiz\\w+|blow(?:s|n)? up|blew up|hoists? flags?|retak\\w+|recaptur\\w+|repel\\w*|foil\\w*|onslaught|gunfire|prison break|hari|sun kai|kai (?:wa )?hari|farmaki|dem attack|don attack|clear(?:ed|ance)|intercept\\w*|destroy\\w*|engag(?:ed|es)',
    'Bandits raided the village at dawn',
  ),
] as const

export type Action = (typeof ACTIONS)[number]['means']
