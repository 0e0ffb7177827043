/** Police, army, government: words in the name of somebody whose business it is to know. */
export const OFFICIAL_PUBLISHER_WORDS = [
  'army',
  'police',
  'navy',
  'air force',
  'ministry',
  'defence headquarters',
  'government of nigeria',
  'nscdc',
  'nema',
] as const
const OFFICIAL = new RegExp(`\\b(${OFFICIAL_PUBLISHER_WORDS.join('|')})\\b`, 'i')

/** A longer name is the title of a study about them. */
const LONGEST_OFFICE = 40

export function isOfficialPublisher(publisher: string): boolean {
  return publisher.length <= LONGEST_OFFICE && OFFICIAL.test(publisher)
}
