/**
 * Stories that report no incident, of our own making: each a title and a first sentence. Names of
 * people are invented; names of places are real, so that a place alone makes no incident.
 */
const story = (title: string, text: string) => ({ title, text })

const COURT = [
  story(
    'Court sentences three to death for 2019 kidnapping in Ekiti',
    'A High Court in Ado Ekiti on Tuesday sentenced three men to death for the kidnapping of a farmer seven years ago.',
  ),
  story(
    'Two arraigned for alleged armed robbery in Ilorin',
    'The police on Monday arraigned two men before a magistrate for allegedly robbing a shop.',
  ),
  story(
    'Judge adjourns trial of alleged bomb maker',
    'Justice Halima Doro adjourned the trial of a man accused of making the bomb that exploded in Nyanya until March.',
  ),
  story(
    'Suspected cultist gets bail in Benin',
    'A court in Benin City granted bail to an undergraduate charged with belonging to a cult group.',
  ),
  story(
    'Appeal Court upholds life sentence of kidnap kingpin',
    'The Court of Appeal in Enugu has upheld the life sentence of a man convicted of leading a kidnap gang.',
  ),
  story(
    'Lawyer sues army over 2016 killings',
    'A lawyer has sued the Nigerian Army over the killing of protesters in Onitsha in 2016.',
  ),
  story(
    'Man jailed 10 years for cattle rustling',
    'A Gusau court jailed a man for ten years after he pleaded guilty to rustling 14 cows.',
  ),
  story(
    'Tribunal reserves judgment in Zaria killings case',
    'The tribunal reserved judgment in the suit over the clash between soldiers and a religious group in Zaria.',
  ),
  story(
    'Ex-militant leader pleads not guilty',
    'A former Niger Delta militant pleaded not guilty to charges of attacking an oil facility.',
  ),
  story(
    'Police officer convicted of murder of trader',
    'An Uyo court convicted a police officer of the murder of a trader shot in 2021.',
  ),
  story(
    'Prosecution closes case in Offa robbery trial',
    'The prosecution closed its case against five men accused of the bank robbery in which 33 people died.',
  ),
  story(
    'Court orders release of detained protesters',
    'A Federal High Court in Abuja ordered the release on bail of protesters held since August.',
  ),
  story(
    'Extradition of alleged arms dealer delayed',
    'The extradition of a man accused of supplying arms to bandits has been delayed, his lawyer said.',
  ),
  story(
    'Court to hear suit on herders colony',
    'The court fixed May for hearing of the suit against the cattle colony in Makurdi.',
  ),
  story(
    'Coroner begins inquest into death in custody',
    'A coroner in Ikeja has begun an inquest into the death of a driver in police custody.',
  ),
]
const REACTION = [
  story(
    'Governor condemns killings, vows to fish out perpetrators',
    'The governor of Benue State has condemned the killing of farmers and vowed that the attackers will be found.',
  ),
  story(
    'Senate calls for state of emergency on security',
    'The Senate on Wednesday called for a state of emergency over the attacks in the North-West.',
  ),
  story(
    'Bishops decry rising kidnappings',
    'Catholic bishops have decried the rising wave of kidnapping and urged the government to act.',
  ),
  story(
    'Emir urges herders, farmers to live in peace',
    'The emir of Muri urged herders and farmers in Jalingo to embrace peace and report attackers.',
  ),
  story(
    'President mourns victims of Plateau attacks',
    'The president mourned the victims of recent attacks and promised justice.',
  ),
  story(
    'NGO donates relief materials to IDPs in Maiduguri',
    'A non-governmental group donated food and blankets to displaced persons who fled Boko Haram attacks.',
  ),
  story(
    'Minister assures Zamfara residents of safety',
    'The minister of defence assured residents of Zamfara that troops will end banditry.',
  ),
  story(
    'Army denies attacking civilians',
    'The army has denied reports that its soldiers attacked civilians and dismissed the claim as propaganda.',
  ),
  story(
    'Youth council demands more police posts',
    'The youth council in Owerri demanded more police posts after months of fear.',
  ),
  story(
    'Governor visits families of slain vigilantes',
    'The governor visited the families of vigilantes who lost their lives and donated cash.',
  ),
  story(
    'Lawmaker seeks compensation for victims of herdsmen attacks',
    'A lawmaker is seeking compensation for communities in Guma that were attacked by herdsmen.',
  ),
  story(
    'Afenifere faults federal response to insecurity',
    'The group faulted the federal response to killings in the South-West and called for state police.',
  ),
  story(
    'Traditional rulers commend troops for gallantry',
    'Traditional rulers in Borno commended troops for their gallantry in the fight against insurgents.',
  ),
  story(
    'CAN, JNI appeal for calm',
    'Christian and Muslim leaders in Kaduna appealed for calm and urged youths to shun violence.',
  ),
  story(
    'Opposition blames ruling party for insecurity',
    'The opposition blamed the ruling party for the killings across the country.',
  ),
  story(
    'UN chief condemns attacks on aid workers',
    'The UN secretary-general condemned attacks on aid workers and called for their protection.',
  ),
  story(
    'Service chiefs meet over security',
    'The service chiefs met in Abuja to review operations against bandits and insurgents.',
  ),
  story(
    'Union commiserates with family of late driver',
    'The transport union commiserated with the family of a member and pledged support.',
  ),
  story(
    'Governor approves N2bn for rebuilding of burnt market',
    'The governor approved two billion naira to rebuild the market burnt last year.',
  ),
  story(
    'House committee quizzes police chief',
    'A House committee quizzed the police chief about the budget for fighting kidnapping.',
  ),
]
const WARNING = [
  story(
    'DSS warns of planned attacks on worship centres',
    'The secret service has warned of plans to attack worship centres and markets during the holidays.',
  ),
  story(
    'Police place Lagos on red alert',
    'Police in Lagos have been placed on red alert over a threat of cult violence.',
  ),
  story(
    'US issues travel advisory on 20 states',
    'The United States warned its citizens against travel to 20 states over kidnapping and terrorism.',
  ),
  story(
    'Residents raise alarm over strange faces',
    'Residents of Kuje raised the alarm over strange faces and asked for patrols.',
  ),
  story(
    'Union threatens to protest over fuel price',
    'The labour union has threatened to protest if the price of fuel is not cut.',
  ),
  story(
    'How to stay safe on the highway',
    'Security experts explain how to avoid kidnappers on the highway: travel by day, keep your phone charged.',
  ),
  story(
    'Army warns IPOB against sit-at-home',
    'The army warned separatists against enforcing any sit-at-home order in the South-East.',
  ),
  story(
    'Police dismiss rumour of attack on school',
    'The police dismissed as a hoax the rumour of an attack on a school in Minna.',
  ),
  story(
    'Security beefed up in Jos ahead of festival',
    'Security has been beefed up in Jos ahead of the festival after a threat message.',
  ),
  story(
    'NEMA alerts states to flooding',
    'The emergency agency alerted 12 states along the Niger and Benue rivers to likely floods.',
  ),
  story(
    'Bandits plotting to return to Kajuru, group says',
    'A group has warned that bandits are planning to return to Kajuru.',
  ),
  story('Police warn against jungle justice', 'The police command in Calabar warned residents against jungle justice.'),
  story(
    'Navy cautions fishermen over pirates',
    'The navy cautioned fishermen in Brass against going out at night because of pirates.',
  ),
  story(
    'Farmers fear attacks as planting begins',
    'Farmers in Agatu say they fear attacks by herders as the planting season begins.',
  ),
  story(
    'Governor warns political thugs ahead of rally',
    'The governor warned political thugs to stay away from the rally in Ado Ekiti.',
  ),
]
const PAST = [
  story(
    'Ten years after Chibok abduction, parents still wait',
    'Ten years after the abduction of 276 schoolgirls from Chibok, parents say they have not lost hope.',
  ),
  story(
    'Odi remembers victims of 1999 invasion',
    'The Odi community in Bayelsa gathered to remember the victims of the 1999 military invasion.',
  ),
  story('Survivors recount Baga massacre', 'Survivors of the Baga massacre recount how they fled across the lake.'),
  story(
    'Five years on, Agatu marks killings anniversary',
    'The people of Agatu marked the fifth anniversary of the killings with prayers.',
  ),
  story('Timeline: a decade of attacks on schools', 'A timeline of the attacks on schools in the North since 2014.'),
  story(
    'The day bombs shook Ikeja',
    'A look back at the Ikeja cantonment explosions of January 2002, in which more than 1,000 people died.',
  ),
  story(
    'Memorial for EndSARS victims holds in Lekki',
    'A memorial was held at the Lekki toll gate for those shot four years ago.',
  ),
  story(
    'Civil war veterans recall battle of Abagana',
    'Veterans recalled the ambush at Abagana in 1968 in which a convoy was destroyed.',
  ),
  story(
    'My ordeal in kidnappers den, by freed teacher',
    'A teacher freed last year recalled her ordeal in the hands of kidnappers.',
  ),
  story(
    'Widow seeks closure 12 years after police killing',
    'A widow in Aba still seeks justice 12 years after her husband was killed by police.',
  ),
  story('Asaba marks 1967 massacre', 'Indigenes of Asaba commemorated the 1967 massacre with a march and a lecture.'),
  story(
    'Remembering the Yelwa killings of 2004',
    'Two decades after the Yelwa killings, neighbours share a market again.',
  ),
  story(
    'History of the Maitatsine riots',
    'The Maitatsine riots began in Kano in December 1980; this is the history of the movement.',
  ),
  story(
    'Dapchi: two years later, one girl missing',
    'Two years after the Dapchi abduction the family of one girl keeps vigil.',
  ),
  story(
    'Statue unveiled in memory of slain police officers',
    'A statue was unveiled in Lafia in memory of the officers killed in 2013.',
  ),
]
const ANALYSIS = [
  story(
    'Editorial: ending the bloodshed in Plateau',
    'The killings on the Plateau will not end until the causes are addressed, and here is what we propose.',
  ),
  story(
    'Why banditry persists in the North-West',
    'Researchers say poverty, weapons and weak policing are the causes of banditry in Zamfara and Katsina.',
  ),
  story(
    'Report: 4,000 abducted in a year',
    'A report by a consultancy says more than 4,000 people were abducted in the past year.',
  ),
  story(
    'Nigeria ranks eighth on terrorism index',
    'Nigeria ranks eighth on the global terrorism index published on Thursday.',
  ),
  story(
    'Survey finds fear of kidnapping high in Abuja',
    'A survey finds that seven in ten residents of Abuja fear kidnapping.',
  ),
  story(
    'Interview: what drives cultism on campus',
    'In this interview a sociologist explains what drives cultism in Port Harcourt.',
  ),
  story(
    'Experts meet in Kaduna on farmer-herder conflict',
    'Experts at a workshop in Kaduna discussed solutions to the conflict between farmers and herders.',
  ),
  story(
    'Opinion: state police is no magic',
    'Those who think state police will stop kidnapping should look at the evidence.',
  ),
  story(
    'Study links desert advance to clashes',
    'A study links the advance of the desert to clashes over land in Yobe.',
  ),
  story(
    'Oil theft: the figures explained',
    'Our explainer looks at how much crude is lost to pipeline vandalism and who pays.',
  ),
  story(
    'Lessons from Borno community policing',
    'A conference in Maiduguri drew lessons from the civilian task force.',
  ),
  story(
    'Bill on vigilante groups passes second reading',
    'A bill to regulate vigilante groups passed second reading in the Senate.',
  ),
  story('How data helps map violence', 'Researchers in Ibadan use data to map violence and presented their index.'),
  story('Explainer: what is ISWAP?', 'What the group wants, where it came from and how it differs from Boko Haram.'),
  story(
    'Insecurity costs farmers billions, study says',
    'Insecurity cost farmers in Benue billions of naira, a study says.',
  ),
]
const SPORT = [
  story(
    'Plateau United attack sinks Kano Pillars',
    'Two goals from striker Sunday Ade helped Plateau United beat Kano Pillars 2-1 in Jos.',
  ),
  story('Super Eagles shoot down Squirrels', 'The Super Eagles shot down Benin Republic with three goals in Uyo.'),
  story('Lobi Stars kill off Rangers in Makurdi', 'Lobi Stars killed off the match in Makurdi with two late goals.'),
  story('Coach under fire after defeat', 'The coach of Wikki Tourists is under fire after the 3-0 defeat in Bauchi.'),
  story(
    'Boxer knocks out rival in Lagos',
    'A Lagos boxer knocked out his rival in the second round of the title fight.',
  ),
  story(
    'Fans protest ticket prices at stadium',
    'Football fans protested the price of tickets for the cup final at the stadium in Asaba.',
  ),
  story(
    'Enyimba bomb out of Champions League',
    'Enyimba bombed out of the Champions League after a goalless draw in Aba.',
  ),
  story(
    'Kwara United survive late onslaught',
    'Kwara United survived a late onslaught by Sunshine Stars to win the league match.',
  ),
  story(
    'Sprinter explodes from blocks to win gold',
    'The sprinter exploded from the blocks to win gold at the national sports festival in Benin City.',
  ),
  story(
    'Derby clash ends goalless in Owerri',
    'The oriental derby clash between Heartland and Enugu Rangers ended goalless.',
  ),
  story(
    'Katsina United to battle Kano Pillars',
    'Katsina United will battle Kano Pillars in a north-west derby on Sunday.',
  ),
  story(
    'Falcons raid Ghana for three points',
    'The Super Falcons took three points from Ghana after goals by two strikers.',
  ),
]
const ARTS = [
  story(
    'Film on Chibok girls premieres in Lagos',
    'A film about the kidnapping of the Chibok girls premiered in Lagos on Friday.',
  ),
  story(
    'Novelist explores life under Boko Haram',
    'In her new novel the writer explores life in a town attacked by Boko Haram.',
  ),
  story('Nollywood actor plays kidnapper in thriller', 'The actor plays a kidnapper in the thriller shot in Enugu.'),
  story('Singer kills show in Abuja', 'The singer killed the show at the concert in Abuja, fans said.'),
  story(
    'Documentary on Niger Delta militants wins award',
    'A documentary about militants in the creeks has won an award.',
  ),
  story('Comedian storms Warri', 'The comedian stormed Warri with a show that had fans laughing for hours.'),
  story(
    'Benin museum to show looted bronzes',
    'The museum in Benin City will show bronzes looted by British soldiers in 1897.',
  ),
  story('Series about Lagos robbers tops Netflix chart', 'The series about armed robbers in Lagos topped the chart.'),
  story('Play on civil war staged in Nsukka', 'Students in Nsukka staged a play about the civil war.'),
  story('Rapper drops explosive album', 'The rapper dropped an explosive album recorded in Port Harcourt.'),
  story(
    'Argungu festival draws thousands',
    'The fishing festival in Argungu drew thousands after years of fear of bandits.',
  ),
  story(
    'Photo exhibition on displaced persons opens',
    'A photo exhibition about people displaced by insurgents opened in Yola.',
  ),
]
const ACCIDENT = [
  story(
    '12 die in road crash on Lokoja-Abuja highway',
    'Twelve people died when a bus collided with a truck on the Lokoja-Abuja highway, the FRSC said.',
  ),
  story(
    'Tanker explosion kills 20 in Niger',
    'A fuel tanker overturned and exploded near Suleja, killing 20 people who were scooping petrol.',
  ),
  story('Boat mishap claims 15 in Kebbi', 'Fifteen people drowned when a boat capsized on the river at Yauri.'),
  story(
    'Fire guts Onitsha market',
    'A fire outbreak razed shops in the Onitsha market; the fire service blamed a power surge.',
  ),
  story('Gas explosion injures five in Ibadan', 'A gas cylinder exploded in a shop in Ibadan, injuring five people.'),
  story(
    'Building collapse: three dead in Lagos Island',
    'Three people died when a building under construction collapsed on Lagos Island.',
  ),
  story(
    'Cholera kills 30 in Bauchi',
    'An outbreak of cholera has killed 30 people in Bauchi, the health ministry said.',
  ),
  story(
    'Flood sacks communities in Lokoja',
    'Floods have displaced hundreds in Lokoja after the river overflowed its banks.',
  ),
  story('Lightning kills cows in Ondo', 'Lightning killed 36 cows in a forest near Ijare.'),
  story('Lassa fever: Edo records 10 deaths', 'Edo State has recorded ten deaths from Lassa fever since January.'),
  story(
    'Helicopter crashes in Port Harcourt',
    'A helicopter crashed near Port Harcourt because of bad weather; two crew died.',
  ),
  story('Rainstorm destroys 200 houses in Kwara', 'A rainstorm destroyed 200 houses in Offa.'),
  story(
    'Motorist killed in accident near Ore',
    'A motorist was killed in an accident near Ore when his brakes failed.',
  ),
  story('Meningitis outbreak kills 20 in Jigawa', 'An outbreak of meningitis has killed 20 children in Jigawa.'),
  story('Students die of food poisoning in Kano', 'Four students died of food poisoning in a hostel in Kano.'),
]
const ECONOMY = [
  story('Inflation kills small businesses in Aba', 'Traders in Aba say inflation is killing their business.'),
  story(
    'Naira under attack from speculators',
    'The naira came under attack from speculators on Monday, analysts said.',
  ),
  story('Banks battle for deposits', 'Banks in Lagos are in a battle for deposits as the interest rate rises.'),
  story('Cement price war hits market', 'A price war between two cement makers has hit the market.'),
  story('Dangote refinery fires up', 'The refinery fired up a second unit and cut the price of petrol.'),
  story(
    'Rice imports strangle farmers in Kebbi',
    'Farmers in Birnin Kebbi say imports are strangling the local harvest.',
  ),
  story(
    'Power firm to rebuild line in Maiduguri',
    'The power firm has approved funds to rebuild the line to Maiduguri.',
  ),
  story(
    'Telecoms firm launches 4G in Damaturu',
    'A telecoms operator launched its service in Damaturu with new investment.',
  ),
  story('Cattle price rises in Kano ahead of feast', 'The price of cattle has risen in Kano ahead of the feast.'),
  story('Investors return to Warri port', 'Investors are returning to the port of Warri as revenue grows.'),
  story('Fintech explodes in Lagos', 'Payments by phone have exploded in Lagos, with fintech firms reporting profit.'),
  story('Tax reform targets fuel importers', 'The tax bill targets importers of fuel, the minister said.'),
]
const POLITICS = [
  story(
    'PDP, APC battle for soul of Rivers',
    'The two parties are in a battle for the soul of Rivers State before the primaries.',
  ),
  story(
    'Aspirant defects with supporters in Gombe',
    'A governorship aspirant defected to another party with his supporters in Gombe.',
  ),
  story(
    'INEC releases timetable for 2027 elections',
    'The electoral commission released the timetable for the elections.',
  ),
  story('Deputy governor survives impeachment', 'The deputy governor of Kogi survived a move to impeach him.'),
  story(
    'Campaigns kick off in Anambra',
    'Campaigns for the governorship election kicked off in Awka with candidates promising security.',
  ),
  story('Minister attacks critics of budget', 'The minister attacked critics of the budget in a television interview.'),
  story('Senators clash over electoral bill', 'Senators clashed over the electoral bill in a heated session.'),
  story('Party chairman resigns in Osun', 'The party chairman in Osun resigned and accused the governor of neglect.'),
  story(
    'New police commissioner resumes in Kaduna',
    'A new commissioner of police has resumed in Kaduna and promised to fight crime.',
  ),
  story(
    'Governor appoints security adviser',
    'The governor of Katsina appointed a retired colonel as adviser on security.',
  ),
  story('Voters go to polls in Edo', 'Voters in Edo go to the polls on Saturday to elect a governor.'),
  story(
    'Lawmakers fight over seats in new chamber',
    'Lawmakers argued over the allocation of seats in the new chamber in Jalingo.',
  ),
]
const SERVICE = [
  story(
    'Army holds mock attack drill in Jaji',
    'The army held a mock attack drill in Jaji and told residents not to panic.',
  ),
  story('Police parade recruits in Kano', 'The police held a passing-out parade for recruits in Kano.'),
  story('Navy begins exercise in Bonny waters', 'The navy began an exercise off Bonny to train crews against pirates.'),
  story(
    'Troops to shoot at range, residents told',
    'Residents near the Kontagora range were told of a shooting exercise next week.',
  ),
  story(
    'Bomb squad trains teachers in Yola',
    'The bomb squad trained teachers in Yola on how to spot explosive devices.',
  ),
  story(
    'Rehabilitated fighters graduate in Gombe',
    'Former fighters graduated from a rehabilitation programme in Gombe.',
  ),
  story(
    'IDPs return to rebuilt homes in Bama',
    'Displaced families returned to rebuilt homes in Bama under a resettlement programme.',
  ),
  story(
    'School reopens in Kagara after repairs',
    'The school in Kagara reopened after repairs to its fence and hostels.',
  ),
  story(
    'Road between Jos and Bauchi to be rebuilt',
    'Work to reconstruct the road between Jos and Bauchi will start in May.',
  ),
  story('Vigilantes get motorcycles in Niger State', 'The governor donated motorcycles to vigilantes in Minna.'),
  story('Peace accord signed in Wukari', 'Tiv and Jukun leaders signed a peace accord in Wukari.'),
  story('Curfew relaxed in Jos', 'The Plateau government relaxed the curfew in Jos and thanked residents.'),
  story('Amnesty office pays stipends', 'The amnesty office paid stipends to former agitators in Yenagoa.'),
  story(
    'Checkpoint removed on Enugu road',
    'The army removed a checkpoint on the Enugu road after complaints of traffic.',
  ),
  story('NDLEA destroys cannabis farm in Ondo', 'Drug officers destroyed a cannabis farm in Owo and seized 200 bags.'),
  story('Customs seizes rice in Seme', 'Customs officers seized 500 bags of rice at the Seme border.'),
  story(
    'Immigration arrests fake passport maker',
    'Immigration officers arrested a man who made fake passports in Lagos.',
  ),
  story(
    'Police recover stolen cars in Abuja',
    'The police recovered six stolen cars in Abuja and asked owners to come forward.',
  ),
]
const FIGURES_OF_SPEECH = [
  story(
    'War against corruption will be won, says EFCC',
    'The head of the commission said the war against corruption will be won.',
  ),
  story('Heart attack kills monarch in Ogun', 'A traditional ruler in Ijebu Ode has died of a heart attack at 84.'),
  story('Killer deals on phones in Computer Village', 'Shoppers stormed Computer Village in Ikeja for killer deals.'),
  story('Hackers attack bank website', 'Hackers attacked the website of a bank and took it down for hours.'),
  story('Battle of the chefs in Calabar', 'Twelve chefs fight for the title in Calabar on Friday.'),
  story('Population explosion worries planners', 'The population explosion in Lagos worries planners.'),
  story('Minister drops bombshell on subsidy', 'The minister dropped a bombshell when he spoke about the subsidy.'),
  story('Couple shoots pre-wedding video at Obudu', 'A couple shot a pre-wedding video at the Obudu ranch.'),
  story('Students under siege of mosquitoes', 'Students in Zaria say they are under siege of mosquitoes.'),
  story('Governor fires two commissioners', 'The governor of Imo fired two commissioners on Monday.'),
  story('Time bomb: idle youths in cities', 'Idle youths in cities are a time bomb, a cleric said.'),
  story('Fight against malaria gets boost in Sokoto', 'The fight against malaria in Sokoto got a boost with new nets.'),
  story('Twitter storm over senator’s comments', 'A storm broke on social media over the comments of a senator.'),
]
const DAILY_LIFE = [
  story('WAEC releases results', 'The examination council released the results and said 60 per cent passed.'),
  story('Emir turbans new district head', 'The emir of Zazzau turbaned a new district head in Zaria.'),
  story(
    'Traffic: alternative routes in Ibadan',
    'Motorists in Ibadan are advised to use other routes while the bridge is repaired.',
  ),
  story('Hospital in Damboa gets solar power', 'The hospital in Damboa now has solar power.'),
  story('Bishop ordains 12 priests in Makurdi', 'The bishop ordained twelve priests in Makurdi on Saturday.'),
  story('New market opens in Gwoza', 'A new market opened in Gwoza, to the delight of traders.'),
  story('Farmers in Konduga expect good harvest', 'Farmers in Konduga expect a good harvest after the rains.'),
  story('Weather: dust haze over Kano', 'A dust haze will reduce visibility in Kano and Katsina.'),
  story(
    'University of Jos elects vice chancellor',
    'The council of the University of Jos has elected a new vice chancellor.',
  ),
  story('Old students donate library in Gusau', 'Old students donated a library to their school in Gusau.'),
  story('Ramadan: mosques clean up in Ilorin', 'Volunteers cleaned mosques in Ilorin before the fast.'),
  story('Nurse honoured for 40 years in Potiskum', 'A nurse was honoured in Potiskum for forty years of service.'),
  story(
    'Train service between Lagos and Ibadan adds trips',
    'The railway added two daily trips between Lagos and Ibadan.',
  ),
  story('Kaduna to plant one million trees', 'The Kaduna government will plant one million trees this year.'),
  story('Fishermen return to Baga', 'Fishermen are returning to Baga as the lake rises.'),
  story('Twins win spelling contest in Uyo', 'Twin sisters won the spelling contest in Uyo.'),
]
const MORE = [
  story(
    'Group trains 200 women in Mubi on soap making',
    'Two hundred women in Mubi were trained in soap making by a local group.',
  ),
  story('Zulum inspects schools in Gwoza', 'The governor inspected schools in Gwoza and promised new classrooms.'),
  story('Church marks 100 years in Kafanchan', 'The church in Kafanchan marked 100 years with a thanksgiving service.'),
  story(
    'Police hand over missing child to parents',
    'The police in Ilesa handed a missing child to his parents; he had lost his way.',
  ),
  story(
    'Doctors begin strike in Kogi over pay',
    'Doctors in state hospitals in Lokoja have begun a strike notice period over pay, the union said in a letter seeking talks.',
  ),
  story(
    'Bank robbery film breaks records',
    'The film about a bank robbery broke box office records in its first week.',
  ),
  story(
    'Ex-hostage weds in Kaduna',
    'A woman who was once held hostage wedded in Kaduna, five years after her release.',
  ),
  story(
    'Army chief urges officers to read',
    'The army chief urged officers to read and write at a book launch in Abuja.',
  ),
  story('Tribute to a slain reporter', 'Colleagues paid tribute to a reporter killed in 2012 at a lecture in Kano.'),
  story('Poll: voters rank insecurity first', 'A poll shows that voters rank insecurity first among their concerns.'),
]

const SECOND_THIRTY = [
  story(
    'Five years after, families of 43 farmers killed in Zabarmari still wait',
    'Relatives of the 43 rice farmers killed in Zabarmari, Borno State, say no compensation has been paid.',
  ),
  story(
    'Governor visits families of 12 killed in Mangu',
    'The governor on Monday visited families of the 12 people killed last month and promised relief.',
  ),
  story(
    'Army chief hands over cheques to widows of fallen soldiers',
    'The Chief of Army Staff presented cheques to 120 widows of soldiers killed in action.',
  ),
  story(
    'Court jails man who kidnapped 3 in Ondo',
    'A Federal High Court in Akure sentenced a man to 21 years for kidnapping three people in 2022.',
  ),
  story(
    'Police parade 14 suspected kidnappers in Lokoja',
    'The Kogi police command on Tuesday paraded 14 suspects arrested over kidnapping and robbery.',
  ),
  story(
    'Amnesty report: 10,217 killed in two years',
    'A report by Amnesty International says 10,217 people have been killed in attacks since 2023.',
  ),
  story(
    'Senate debates bill on ransom payment',
    'Senators on Wednesday debated a bill that would jail anyone who pays ransom to kidnappers.',
  ),
  story(
    'Why banditry persists in the North-West',
    'In this interview, a retired general explains why bandits keep attacking villages in Zamfara.',
  ),
  story(
    'Seven die in Lokoja boat mishap',
    'Seven passengers died when a boat capsized on the River Niger near Lokoja on Saturday.',
  ),
  story(
    'Twelve burnt to death in Ore tanker crash',
    'Twelve people were burnt to death when a petrol tanker collided with a bus in Ore, Ondo State.',
  ),
  story(
    'Cholera kills 20 in Bauchi',
    'The state ministry of health said cholera had killed 20 people in three local government areas.',
  ),
  story(
    'Gunmen film tops box office',
    'The thriller, in which gunmen kidnap a bride in Jos, earned N200 million in its first week.',
  ),
  story(
    'Plateau United kill off Enyimba in five-goal thriller',
    'Plateau United scored three goals in the last ten minutes to beat Enyimba in Jos.',
  ),
  story(
    'Kidnapping: security experts list 10 safety tips for travellers',
    'Experts have advised travellers to avoid night journeys on the Abuja-Kaduna road.',
  ),
  story(
    'Troops mark Armed Forces Remembrance Day in Maiduguri',
    'Wreaths were laid for soldiers who were killed fighting Boko Haram.',
  ),
  story(
    'DSS warns of plot to bomb worship centres',
    'The DSS has warned of plans by terrorists to attack churches and mosques during the holidays.',
  ),
  story(
    'Bandits: Zamfara recruits 2,500 community guards',
    'Governor Lawan said the guards would be trained to defend villages against bandits.',
  ),
  story(
    'Nigeria loses N1.3trn to pipeline vandals in a year',
    'The national oil company says pipeline vandalism cost the country N1.3 trillion last year.',
  ),
  story(
    'How I escaped from kidnappers, by lecturer',
    'A lecturer has narrated how he escaped from kidnappers in Kogi three years ago.',
  ),
  story(
    'Lagos, Ogun police meet on cultism',
    'Commissioners of police of the two states met in Ikeja on Friday to plan joint patrols against cult groups.',
  ),
  story(
    'Family of slain commissioner seeks justice',
    'The family of a commissioner killed in 2021 has asked the president to reopen the case.',
  ),
  story(
    'UN condemns killing of aid workers',
    'The United Nations condemned the killing of five aid workers and called for justice.',
  ),
  story(
    'Fire guts Kano market, destroys 60 shops',
    'Fire destroyed 60 shops at the Kurmi market in Kano on Sunday; an electrical fault was blamed.',
  ),
  story('Eagles bomb Black Stars 4-0', 'The Super Eagles attacked from the start and destroyed Ghana in Abuja.'),
  story(
    'NDLEA seizes 3 tons of cannabis in Edo',
    'Officers destroyed a warehouse and arrested two people in Ovia, Edo State.',
  ),
  story(
    'Labour threatens strike over fuel price',
    'The Nigeria Labour Congress has threatened to go on strike from Monday.',
  ),
  story('Lightning kills 12 cows in Ondo', 'Lightning killed 12 cows belonging to a herder in Akure North.'),
  story(
    'Military denies killing civilians in Zamfara',
    'The Defence Headquarters has denied reports that an air strike killed civilians in Maradun.',
  ),
  story(
    'Housewife stabs husband in film on domestic violence',
    'The play, staged in Ibadan, follows a woman who kills her husband.',
  ),
  story(
    'Borno resettles 5,000 displaced by Boko Haram',
    'The Borno State Government has resettled 5,000 people who fled Boko Haram attacks in Bama.',
  ),
]

export const NO_INCIDENT_STORIES: readonly { readonly title: string; readonly text: string }[] = [
  ...[...COURT, ...REACTION, ...WARNING, ...PAST, ...ANALYSIS, ...SPORT, ...ARTS, ...ACCIDENT, ...ECONOMY],
  ...[...POLITICS, ...SERVICE, ...FIGURES_OF_SPEECH, ...DAILY_LIFE, ...MORE, ...SECOND_THIRTY],
]
