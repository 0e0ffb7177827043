/**
 * A correction of the package's data with its reason. `package` is the package's name for the LGA.
 */
export interface Correction {
  readonly state: string
  readonly package: string
  readonly name: string
  /** The package's box and centre belong to another place and are not used. */
  readonly misplaced?: true
  readonly reason: string
}

const INEC = "INEC's spelling"
const NAMESAKE = 'the package gives it the box of its namesake in another state'

export const CORRECTIONS: readonly Correction[] = [
  {
    state: 'NG-OS',
    package: 'Ataoja',
    name: 'Osogbo',
    misplaced: true,
    reason: "the Ataoja is Osogbo's ruler; the box is rounded by hand",
  },
  {
    state: 'NG-OS',
    package: 'Ayedaade East',
    name: 'Ifedayo',
    misplaced: true,
    reason: 'no such LGA, and its box is that of Ayedaade; Ifedayo is missing',
  },
  {
    state: 'NG-ON',
    package: 'Oko Igbo',
    name: 'Okitipupa',
    misplaced: true,
    reason: 'Oke-Igbo belongs to Ile Oluji/Okeigbo, which is listed; Okitipupa is missing; the box is rounded by hand',
  },
  { state: 'NG-ZA', package: 'Chafe', name: 'Tsafe', reason: INEC },

  { state: 'NG-BE', package: 'Obi', name: 'Obi', misplaced: true, reason: `${NAMESAKE}, Nasarawa` },
  { state: 'NG-KN', package: 'Nasarawa', name: 'Nasarawa', misplaced: true, reason: `${NAMESAKE}, Nasarawa` },
  { state: 'NG-KO', package: 'Bassa', name: 'Bassa', misplaced: true, reason: `${NAMESAKE}, Plateau` },
  { state: 'NG-KW', package: 'Ifelodun', name: 'Ifelodun', misplaced: true, reason: `${NAMESAKE}, Osun` },
  { state: 'NG-KW', package: 'Irepodun', name: 'Irepodun', misplaced: true, reason: `${NAMESAKE}, Osun` },
  { state: 'NG-OY', package: 'Surulere', name: 'Surulere', misplaced: true, reason: `${NAMESAKE}, Lagos` },

  { state: 'NG-AB', package: 'Osisioma Ngwa', name: 'Osisioma', reason: INEC },
  { state: 'NG-AD', package: 'Fufure', name: 'Fufore', reason: INEC },
  { state: 'NG-BA', package: 'Damban', name: 'Dambam', reason: INEC },
  { state: 'NG-CR', package: 'Yakuur', name: 'Yakurr', reason: INEC },
  { state: 'NG-ED', package: 'Uhunmwonde', name: 'Uhunmwode', reason: INEC },
  {
    state: 'NG-FC',
    package: 'Municipal Area Council',
    name: 'Abuja Municipal',
    reason: 'INEC lists "Municipal" under the FCT; alone it names nothing',
  },
  { state: 'NG-IM', package: 'Ezinihitte', name: 'Ezinihitte Mbaise', reason: INEC },
  { state: 'NG-JI', package: 'Biriniwa', name: 'Birniwa', reason: INEC },
  { state: 'NG-JI', package: 'Kiri Kasama', name: 'Kirikasamma', reason: INEC },
  { state: 'NG-KE', package: 'Aleiro', name: 'Aliero', reason: INEC },
  { state: 'NG-KN', package: 'Garun Mallam', name: 'Garun Malam', reason: INEC },
  { state: 'NG-KT', package: "Mai'Adua", name: "Mai'adua", reason: 'a capital within the word' },
  { state: 'NG-KW', package: 'Pategi', name: 'Patigi', reason: INEC },
  { state: 'NG-LA', package: 'Shomolu', name: 'Somolu', reason: INEC },
  { state: 'NG-OG', package: 'Shagamu', name: 'Sagamu', reason: INEC },
  { state: 'NG-OS', package: 'Atakunmosa East', name: 'Atakumosa East', reason: INEC },
  { state: 'NG-OS', package: 'Atakunmosa West', name: 'Atakumosa West', reason: INEC },
  { state: 'NG-OY', package: 'Ogbomosho North', name: 'Ogbomoso North', reason: INEC },
  { state: 'NG-OY', package: 'Ogbomosho South', name: 'Ogbomoso South', reason: INEC },
]

// INEC's list is not followed in these cases; its forms are aliases only: misspellings (Gire 1,
// Ihala, Malufashi, Yalmaltu/Deba, Ogori Mangogo, S/Birni, Karasawa, Opobo/Nekoro, Ifako-Ijaye,
// Mopa Moro, Edatti), abbreviations (Kogi K. K., Maiduguri M. C., Arewa, Dawaki Kudu, Dawaki Tofa),
// headquarters in brackets (Esit Eket (Uquo), most of Imo), and older or rarer forms (Egbado for
// Yewa, Danbata, Barikin Ladi, Calabar Municipality, Owerri Urban).

/** Headquarters of misplaced LGAs that have no place in the gazetteer, from general knowledge. */
export const HEADQUARTERS: Readonly<Record<string, { lat: number; lng: number; of: string }>> = {
  'NG-OS-IFEDAYO': { lat: 7.95, lng: 4.98, of: 'Oke-Ila Orangun' },
  'NG-ON-OKITIPUPA': { lat: 6.5, lng: 4.78, of: 'Okitipupa' },
  'NG-KN-NASARAWA': { lat: 11.98, lng: 8.56, of: 'Nassarawa, east of the city of Kano' },
}
