import type { MixName } from './mixes.ts'

interface StateTraits {
  /** Approximate share of incidents, in thousandths. */
  readonly weight: number
  readonly mix: MixName
  /** LGAs with far more incidents than their neighbours. */
  readonly hotspots: readonly string[]
}

const traits = (weight: number, mix: MixName, ...hotspots: string[]): StateTraits => ({ weight, mix, hotspots })

export const STATES: Readonly<Record<string, StateTraits>> = {
  'NG-BO': traits(112, 'insurgency', 'Maiduguri', 'Bama', 'Gwoza', 'Konduga', 'Damboa', 'Monguno', 'Dikwa', 'Kukawa'),
  'NG-ZA': traits(92, 'banditry', 'Anka', 'Maradun', 'Maru', 'Shinkafi', 'Tsafe', 'Zurmi', 'Gusau'),
  'NG-KD': traits(84, 'banditry', 'Birnin Gwari', 'Chikun', 'Kajuru', 'Kachia', 'Igabi', 'Giwa'),
  'NG-KT': traits(72, 'banditry', 'Batsari', 'Jibia', 'Kankara', 'Faskari', 'Safana', 'Danmusa', 'Sabuwa'),
  'NG-NI': traits(60, 'banditry', 'Shiroro', 'Rafi', 'Mashegu', 'Mariga'),
  'NG-PL': traits(52, 'middle_belt', 'Barkin Ladi', 'Riyom', 'Bokkos', 'Mangu', 'Bassa', 'Jos North'),
  'NG-BE': traits(50, 'middle_belt', 'Guma', 'Logo', 'Agatu', 'Gwer West', 'Katsina-Ala', 'Ukum'),
  'NG-RI': traits(40, 'niger_delta', 'Port Harcourt', 'Khana', 'Ahoada East', 'Degema', 'Emohua'),
  'NG-DE': traits(36, 'niger_delta', 'Warri South', 'Ughelli North', 'Ethiope East', 'Isoko South'),
  'NG-LA': traits(34, 'metropolis', 'Ikeja', 'Mushin', 'Ikorodu', 'Alimosho', 'Ajeromi/Ifelodun'),
  'NG-IM': traits(32, 'south_east', 'Orlu', 'Orsu', 'Okigwe', 'Owerri Municipal'),
  'NG-FC': traits(30, 'crossroads', 'Kuje', 'Bwari', 'Abaji'),
  'NG-SO': traits(30, 'banditry', 'Isa', 'Sabon Birni', 'Goronyo', 'Rabah'),
  'NG-AN': traits(24, 'south_east', 'Ihiala', 'Nnewi South', 'Onitsha North'),
  'NG-YO': traits(22, 'insurgency', 'Geidam', 'Gujba', 'Damaturu'),
  'NG-TA': traits(20, 'middle_belt', 'Wukari', 'Takum', 'Ussa'),
  'NG-NA': traits(18, 'middle_belt', 'Doma', 'Keana', 'Toto'),
  'NG-AD': traits(17, 'insurgency', 'Madagali', 'Michika', 'Numan'),
  'NG-KE': traits(17, 'banditry', 'Sakaba', 'Zuru'),
  'NG-KO': traits(16, 'crossroads', 'Lokoja', 'Okene'),
  'NG-ED': traits(15, 'inland_delta', 'Oredo', 'Egor'),
  'NG-BY': traits(14, 'niger_delta', 'Yenagoa', 'Southern Ijaw', 'Brass'),
  'NG-AB': traits(13, 'south_east', 'Aba South', 'Umunneochi'),
  'NG-ON': traits(13, 'south_west', 'Owo', 'Akure North'),
  'NG-OG': traits(13, 'south_west', 'Ado-Odo/Ota', 'Ijebu North'),
  'NG-EN': traits(12, 'south_east', 'Uzo-Uwani', 'Nsukka'),
  'NG-EB': traits(12, 'south_east', 'Ohaukwu', 'Abakaliki'),
  'NG-KN': traits(12, 'northern_city', 'Kano Municipal', 'Dala'),
  'NG-CR': traits(11, 'niger_delta', 'Calabar South', 'Obubra'),
  'NG-OY': traits(11, 'south_west', 'Ibarapa North', 'Ibadan North'),
  'NG-BA': traits(10, 'northern_city', 'Bauchi', 'Tafawa Balewa'),
  'NG-AK': traits(10, 'niger_delta', 'Etim Ekpo', 'Ukanafun'),
  'NG-KW': traits(10, 'crossroads', 'Ilorin West', 'Kaiama'),
  'NG-OS': traits(7, 'south_west', 'Osogbo', 'Ife Central'),
  'NG-EK': traits(6, 'south_west', 'Ado Ekiti', 'Ikole'),
  'NG-GO': traits(6, 'northern_city', 'Gombe', 'Billiri'),
  'NG-JI': traits(5, 'northern_city', 'Guri', 'Birniwa'),
}

/** Default for states that the table does not list. */
export const QUIET_STATE = traits(5, 'crossroads')

/** LGAs on navigable water; piracy happens only there. */
export const WATERSIDE: Readonly<Record<string, readonly string[]>> = {
  'NG-RI': ['Bonny', 'Degema', 'Akuku Toru', 'Asari-Toru', 'Andoni', 'Okrika'],
  'NG-BY': ['Brass', 'Southern Ijaw', 'Ekeremor', 'Nembe'],
  'NG-DE': ['Warri South-West', 'Burutu', 'Bomadi', 'Patani'],
  'NG-AK': ['Ibeno', 'Mbo', 'Eastern Obolo', 'Oron'],
  'NG-CR': ['Bakassi', 'Akpabuyo', 'Calabar South'],
  'NG-LA': ['Apapa', 'Badagry', 'Ibeju-Lekki', 'Epe'],
}
