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

/** A longer name is usually the title of a study about an official body. */
const MAX_OFFICE_NAME_LENGTH = 40

export function isOfficialPublisher(publisher: string): boolean {
  return publisher.length <= MAX_OFFICE_NAME_LENGTH && OFFICIAL.test(publisher)
}
