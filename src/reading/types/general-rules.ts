import { TROOPS_ACT } from './security-phrases.ts'
import type { TypeRule } from './type-rule.ts'

/** For sentences that no distinct rule fits; the last ones are guesses with low scores. */
export const GENERAL_RULES: readonly TypeRule[] = [
  { type: 'riot', actions: ['riot'], score: 0.75, example: 'Rioters burnt shops in Kano' },
  {
    type: 'highway_robbery',
    actors: ['robbers', 'gunmen'],
    actions: ['highway robbery'],
    score: 0.75,
    example: 'Armed robbers dispossessed travellers on the Lokoja road',
  },
  {
    type: 'armed_robbery',
    actors: ['robbers', 'gunmen'],
    actions: ['robbery'],
    unless: /\bpolice (?:arrest|parade|nab)/i,
    score: 0.75,
    example: 'Armed robbers robbed a bank in Offa',
  },
  {
    type: 'communal_clash',
    actors: ['communities'],
    actions: ['kill', 'attack', 'clash'],
    score: 0.75,
    example: 'Ten killed as Tiv and Jukun militias clash in Wukari',
  },
  {
    type: 'communal_clash',
    actors: ['farmers'],
    actions: ['clash'],
    score: 0.7,
    example: 'Farmers fought over land in Ikom',
  },
  {
    type: 'communal_clash',
    actions: ['clash'],
    words:
      /\b(?:communal|inter-communal|intercommunal|land dispute|boundary dispute|chieftaincy|ethnic|communit\w+)\b/i,
    score: 0.75,
    example: 'Five die in a communal clash in Ikom',
  },
  { type: 'kidnapping', actions: ['abduct'], score: 0.6, example: 'Gunmen killed one and abducted three in Kuje' },
  {
    type: 'gang_violence',
    actors: ['militants'],
    actions: ['kill', 'attack', 'clash'],
    score: 0.5,
    example: 'Militants killed two rivals in Bonny',
  },
  { type: 'protest', actions: ['protest'], score: 0.75, example: 'Traders protested in Ibadan over a levy' },
  {
    type: 'military_operation',
    actors: ['troops', 'police'],
    actions: ['kill', 'attack', 'clash'],
    words: TROOPS_ACT,
    score: 0.6,
    example: 'Soldiers opened fire on residents in Asaba, killed two',
  },
  {
    type: 'banditry',
    actors: ['gunmen', 'kidnappers', 'robbers'],
    actions: ['kill', 'attack'],
    score: 0.6,
    example: 'Gunmen attacked a village in Shiroro',
  },
  {
    type: 'communal_clash',
    actions: ['clash'],
    words: /\b(?:youths?|villagers|clans?|factions?|groups?)\b/i,
    score: 0.5,
    example: 'Youths of two clans clashed in Obudu',
  },
  {
    type: 'homicide',
    actions: ['kill'],
    words: /\b(?:murder|stabb|hack|behead|machet|ritual|strangl|shot dead|found dead|killed|kills?|dead|death|die)\w*/i,
    unless: /\b(?:attack|village|villages|communit\w+|violence|clash\w*|reprisal|onslaught|carnage)\b/i,
    score: 0.4,
    example: 'A trader was found murdered in Sapele',
  },
  {
    type: 'communal_clash',
    actions: ['kill', 'clash'],
    words: /\b(?:reprisal|crisis|violence|feud|boundary)\b/i,
    score: 0.4,
    example: 'Forty killed in fresh violence in Gerkawa',
  },
  {
    type: 'banditry',
    actions: ['attack', 'kill'],
    words:
      /\b(?:villages?|communit\w+|towns?|residents|houses|homes|market|attacks?|attacked|killed|massacre\w*|bloodbath)\b/i,
    score: 0.35,
    example: 'Village attacked in Kajuru, houses burnt',
  },
  {
    type: 'communal_clash',
    actions: ['clash'],
    words: /\b(?:killed|kills?|dead|deaths?|die[sd]?|injured|wounded|lives)\b/i,
    score: 0.35,
    example: 'Three dead after a clash in Wase',
  },
]
