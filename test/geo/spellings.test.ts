import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places } from '../../src/geo/places.ts'

const STATES: Readonly<Record<string, readonly string[]>> = {
  'NG-AB': ['Abia', 'ABIA STATE', 'abia state ', 'AB'],
  'NG-AK': ['Akwa-Ibom', 'akwaibom', 'Akwa Ibom State', 'AKWA  IBOM', 'NG-AK'],
  'NG-BO': ['Borno', 'Bornu', 'BORNO STATE'],
  'NG-CR': ['Cross River', 'Cross Rivers', 'Cross-River State', 'crossriver', 'C/River'],
  'NG-FC': [
    'FCT',
    'F.C.T.',
    'fct',
    'Abuja',
    'Federal Capital Territory',
    'FCT, Abuja',
    'FCT-Abuja',
    'Abuja FCT',
    'NG-FC',
    'ng-fct',
  ],
  'NG-KD': ['Kaduna', 'kaduna state', 'ＫＡＤＵＮＡ', 'Kàdúná', 'ng-kd', 'KD'],
  'NG-NA': ['Nasarawa', 'Nassarawa', 'NASSARAWA STATE', 'Nasarrawa'],
  'NG-NI': ['Niger', 'Niger State'],
  'NG-OS': ['Osun', 'Ọṣun', 'Oshun State'],
  'NG-OY': ['Oyo', 'Ọ̀yọ́'],
  'NG-PL': ['Plateau', 'PLATEAU  STATE'],
  'NG-RI': ['Rivers', 'River State'],
  'NG-SO': ['Sokoto', 'Sakwato'],
  'NG-ZA': ['Zamfara', 'zamfara-state'],
}

const LGAS: Readonly<Record<string, readonly string[]>> = {
  'NG-AB-OBI-NGWA': ['Obi Ngwa', 'Obi Nwga', 'Obingwa', 'OBINGWA LGA'],
  'NG-AB-OSISIOMA': ['Osisioma', 'Osisioma Ngwa'],
  'NG-AB-UMU-NNEOCHI': ['Umu Nneochi', 'Umu-Nneochi', 'Umunneochi', 'UMU - NNEOCHI LGA'],
  'NG-AD-FUFORE': ['Fufore', 'Fufure'],
  'NG-AD-GIREI': ['Girei', 'Gire 1', 'Gire'],
  'NG-AD-TOUNGO': ['Toungo', 'Teungo'],
  'NG-AK-ESIT-EKET': ['Esit Eket', 'Esit Eket (Uquo)'],
  'NG-AK-URUE-OFFONG-ORUKO': ['Urue-Offong/Oruko', 'Urue Offong Oruko', 'Urue Offong'],
  'NG-AN-IHIALA': ['Ihiala', 'Ihala'],
  'NG-BA-DAMBAM': ['Dambam', 'Damban'],
  'NG-BA-JAMA-ARE': ["Jama'are", 'Jamaare', 'Jama’are'],
  'NG-BA-ITAS-GADAU': ['Itas/Gadau', 'Itas Gadau', 'Itas', 'Gadau'],
  'NG-BE-MAKURDI': ['Makurdi', 'Markurdi'],
  'NG-BE-OTUKPO': ['Otukpo', 'Oturkpo'],
  'NG-BO-ASKIRA-UBA': ['Askira/Uba', 'Askira-Uba', 'Askira _ Uba', 'Askira'],
  'NG-BO-CHIBOK': ['Chibok', 'Chibuk'],
  'NG-BO-KALA-BALGE': ['Kala/Balge', 'Kala-Balge', 'Kala Balge'],
  'NG-BO-MAIDUGURI': ['Maiduguri', 'MMC', 'Maiduguri M. C.', 'Maiduguri Metropolitan Council'],
  'NG-BY-YENAGOA': ['Yenagoa', 'Yenegoa'],
  'NG-CR-CALABAR-MUNICIPAL': ['Calabar Municipal', 'Calabar Municipality', 'Calabar-Municipal'],
  'NG-CR-YAKURR': ['Yakurr', 'Yakuur'],
  'NG-DE-WARRI-SOUTH-WEST': ['Warri South West', 'Warri South-West', 'Warri Southwest', 'Warri SW'],
  'NG-ED-UHUNMWODE': ['Uhunmwode', 'Uhunmwonde'],
  'NG-ED-IGUEBEN': ['Igueben', 'Iguegben'],
  'NG-EK-GBONYIN': ['Gbonyin', 'Aiyekire'],
  'NG-EK-IREPODUN-IFELODUN': ['Irepodun/Ifelodun', 'Irepodun _ Ifelodun LGA'],
  'NG-FC-ABUJA-MUNICIPAL': [
    'AMAC',
    'Abuja Municipal',
    'Abuja Municipal Area Council',
    'Municipal Area Council',
    'Municipal',
  ],
  'NG-GO-SHONGOM': ['Shongom', 'Shomgom'],
  'NG-GO-YAMALTU-DEBA': ['Yamaltu/Deba', 'Yalmaltu_ Deba', 'Yamaltu', 'Deba'],
  'NG-IM-EZINIHITTE-MBAISE': ['Ezinihitte Mbaise', 'Ezinihitte'],
  'NG-IM-MBAITOLI': ['Mbaitoli', 'Mbatoli'],
  'NG-IM-OWERRI-MUNICIPAL': ['Owerri Municipal', 'Owerri Urban'],
  'NG-JI-BIRNIWA': ['Birniwa', 'Biriniwa'],
  'NG-JI-KIRIKASAMMA': ['Kirikasamma', 'Kiri Kasama', 'KIRIKA SAMMA LGA'],
  'NG-JI-MALAM-MADORI': ['Malam Madori', 'Malam Maduri'],
  'NG-KD-BIRNIN-GWARI': ['Birnin Gwari', 'Birnin-Gwari', 'birningwari', 'B/Gwari', 'ng-kd-birnin-gwari'],
  'NG-KD-CHIKUN': ['Chikun', 'CHIKUN L.G.A.', 'Chikun local government area', 'Chikun Local Government'],
  'NG-KD-JEMA-A': ["Jema'a", 'Jemaa', 'Jema’a', 'JEMA`A', "Jema'a LGA"],
  'NG-KD-KUBAU': ['Kubau', 'Kuban'],
  'NG-KD-ZANGON-KATAF': ['Zangon Kataf', 'Zango Kataf', 'Zangon-Kataf'],
  'NG-KE-ALIERO': ['Aliero', 'Aleiro'],
  'NG-KE-WASAGU-DANKO': ['Wasagu/Danko', 'Danko/Wasagu', 'Danko', 'Wasagu'],
  'NG-KN-DAMBATTA': ['Dambatta', 'Danbatta', 'Danbata', 'Ɗambatta'],
  'NG-KN-DAWAKIN-TOFA': ['Dawakin Tofa', 'Dawaki Tofa'],
  'NG-KN-GARUN-MALAM': ['Garun Malam', 'Garun Mallam', 'Garum Mallam'],
  'NG-KO-KOGI': ['Kogi', 'Kogi . K. K.', 'Koton Karfe'],
  'NG-KO-OGORI-MAGONGO': ['Ogori/Magongo', 'Ogori Mangogo'],
  'NG-KT-DUTSIN-MA': ['Dutsin Ma', 'Dutsin-Ma', 'Dutsinma'],
  'NG-KT-MAI-ADUA': ["Mai'adua", 'Maiadua', "MAI'ADUA"],
  'NG-KT-MALUMFASHI': ['Malumfashi', 'Malufashi'],
  'NG-KW-PATIGI': ['Patigi', 'Pategi'],
  'NG-LA-IFAKO-IJAIYE': ['Ifako-Ijaiye', 'Ifako-Ijaye', 'Ifako/Ijaye'],
  'NG-LA-OSHODI-ISOLO': ['Oshodi-Isolo', 'Oshodi/Isolo', 'Oshodi'],
  'NG-LA-SOMOLU': ['Somolu', 'Shomolu', 'Ṣómólú'],
  'NG-NA-NASARAWA-EGGON': ['Nasarawa Eggon', 'Nassarawa Egon'],
  'NG-NI-EDATI': ['Edati', 'Edatti'],
  'NG-NI-MUNYA': ['Munya', 'Muya'],
  'NG-OG-ADO-ODO-OTA': ['Ado-Odo/Ota', 'Ado Odo-Ota', 'Ota'],
  'NG-OG-SAGAMU': ['Sagamu', 'Shagamu'],
  'NG-OG-YEWA-NORTH': ['Yewa North', 'Egbado North'],
  'NG-ON-ILE-OLUJI-OKEIGBO': ['Ile Oluji/Okeigbo', 'Ileoluji_Okeigbo', 'Oke-Igbo'],
  'NG-ON-OKITIPUPA': ['Okitipupa'],
  'NG-OS-ATAKUMOSA-EAST': ['Atakumosa East', 'Atakunmosa East'],
  'NG-OS-AYEDAADE': ['Ayedaade', 'Aiyedade', 'Ayedade'],
  'NG-OS-IFEDAYO': ['Ifedayo'],
  'NG-OS-ILESA-EAST': ['Ilesa East', 'Ilesha East'],
  'NG-OS-OSOGBO': ['Osogbo', 'Oshogbo', 'Òṣogbo', 'Ataoja'],
  'NG-OY-IBADAN-NORTH-EAST': ['Ibadan North-East', 'Ibadan North East', 'Ibadan NE'],
  'NG-OY-OGBOMOSO-SOUTH': ['Ogbomoso South', 'Ogbomosho South'],
  'NG-OY-OORELOPE': ['Oorelope', 'Orelope'],
  'NG-OY-ORIRE': ['Orire', 'Ori Ire'],
  'NG-PL-BARKIN-LADI': ['Barkin Ladi', 'Barikin Ladi'],
  'NG-PL-QUA-AN-PAN': ["Qua'an Pan", 'Quaan Pan', 'Quan Pan'],
  'NG-RI-EMOHUA': ['Emohua', 'Emuoha'],
  'NG-RI-OBIO-AKPOR': ['Obio/Akpor', 'Obio-Akpor', 'OBALGA'],
  'NG-RI-OGBA-EGBEMA-NDONI': ['Ogba/Egbema/Ndoni', 'ONELGA', 'Ogba–Egbema–Ndoni'],
  'NG-RI-OPOBO-NKORO': ['Opobo/Nkoro', 'Opobo_Nekoro'],
  'NG-RI-PORT-HARCOURT': ['Port Harcourt', 'Port-Harcourt', 'PHALGA'],
  'NG-SO-SABON-BIRNI': ['Sabon Birni', 'S/Birni', 'Sabon-Birni'],
  'NG-SO-WAMAKKO': ['Wamakko', 'Wamako'],
  'NG-YO-BADE': ['Bade', 'Barde'],
  'NG-YO-BURSARI': ['Bursari', 'Borsari'],
  'NG-YO-KARASUWA': ['Karasuwa', 'Karasawa'],
  'NG-YO-TARMUWA': ['Tarmuwa', 'Tarmua'],
  'NG-ZA-BIRNIN-MAGAJI': ['Birnin Magaji', 'Birnin Magaji/Kiyaw', 'Birnin Magaji-Kiyaw'],
  'NG-ZA-TSAFE': ['Tsafe', 'Chafe'],
}

const spellings = (table: Readonly<Record<string, readonly string[]>>): [code: string, name: string][] =>
  Object.entries(table).flatMap(([code, names]) => names.map((name): [string, string] => [code, name]))

test('a state is found however it is spelled', () => {
  for (const [code, name] of spellings(STATES)) {
    const found = places.findState(name)
    assert.equal(found.kind === 'found' ? found.place.code : found.kind, code, name)
  }
})

test('an LGA is found however it is spelled, with its state and without', () => {
  for (const [code, name] of spellings(LGAS)) {
    for (const states of [null, [code.slice(0, 5)]]) {
      const found = places.findLga(name, states)
      assert.equal(found.kind === 'found' ? found.place.code : found.kind, code, `${name} in ${states}`)
    }
  }
})

test('there are more than 120 spellings in these tables', () => {
  assert.ok(spellings(STATES).length + spellings(LGAS).length > 120)
})

test('names that several LGAs go by need their state, aliases too', () => {
  const shared = ['Surulere', 'Obi', 'Bassa', 'Ifelodun', 'Irepodun', 'Nasarawa', 'nassarawa LGA', 'Egbema']
  for (const name of shared) assert.equal(places.findLga(name, null).kind, 'ambiguous', name)
})

const TYPING_ERRORS: readonly (readonly [typed: string, meant: string])[] = [
  ['Kadunna', 'Kaduna'],
  ['Zamfra', 'Zamfara'],
  ['Skoto', 'Sokoto'],
  ['Nigr', 'Niger'],
  ['Akwa Ibon', 'Akwa Ibom'],
  ['Federal Capital Teritory', 'Federal Capital Territory'],
]

test('a state that is misspelled gets the right one suggested first', () => {
  for (const [typed, meant] of TYPING_ERRORS) {
    const found = places.findState(typed)
    assert.equal(found.kind === 'unknown' ? found.suggestions[0] : found.kind, meant, typed)
  }
})
