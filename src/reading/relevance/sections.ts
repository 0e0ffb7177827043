/** Sections of news sites that report no incident, as parts of a path. */
const SECTIONS =
  /^(?:sports?|football|entertainment|celebrit(?:y|ies)|movies|music|lifestyle|fashion|opinions?|editorials?|columns?|columnists|business|economy|technology|tech|health|obituar(?:y|ies)|reviews?|interviews?)$/

/** Whether the address of a story names a section that reports no incident. */
export function isOtherSection(url: string): boolean {
  if (!URL.canParse(url)) return false
  const folders = new URL(url).pathname.toLowerCase().split('/').slice(1, -1)
  return folders.some((folder) => SECTIONS.test(folder))
}
