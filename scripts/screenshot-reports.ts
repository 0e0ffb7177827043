/** Invented reports for pictures of the desk; the first two are of one event. */
const STORIES = [
  {
    place: 'Gonin Gora',
    lga: 'Chikun',
    state: 'Kaduna',
    type: 'kidnapping',
    text: 'Gunmen abducted eleven people from their homes in Gonin Gora, Chikun, in the early hours of Sunday, residents said.',
    casualties: { abducted: 11 },
    publisher: 'Example Daily',
    hoursAgo: 30,
  },
  {
    place: 'Gonin-Gora',
    lga: 'Chikun',
    state: 'Kaduna',
    type: 'banditry',
    text: 'Bandits attacked Gonin-Gora near Kaduna, killed three people and took eighteen others into the forest.',
    casualties: { killed: 3, abducted: 18 },
    publisher: 'Example Herald',
    hoursAgo: 9,
  },
  {
    place: 'Gwoza',
    lga: 'Gwoza',
    state: 'Borno',
    type: 'insurgent_attack',
    text: 'Insurgents fired on a military post outside Gwoza; two soldiers were injured, an official said.',
    casualties: { injured: 2 },
    publisher: 'Example Daily',
    hoursAgo: 20,
  },
  {
    place: 'Makurdi',
    lga: 'Makurdi',
    state: 'Benue',
    type: 'communal_clash',
    text: 'Four people died in a clash between farmers and herders in the outskirts of Makurdi.',
    casualties: { killed: 4 },
    publisher: 'Example Radio',
    hoursAgo: 26,
  },
  {
    place: 'Owerri',
    lga: 'Owerri Municipal',
    state: 'Imo',
    type: 'armed_robbery',
    text: 'Robbers stopped a bus on the road into Owerri and took the passengers’ phones and money. Nobody was hurt.',
    casualties: { killed: 0 },
    publisher: 'Example Radio',
    hoursAgo: 15,
  },
] as const

/** Files the reports with a key; the service answers each on its own. */
export async function fileReports(url: string, key: string): Promise<void> {
  const reports = STORIES.map(({ hoursAgo, publisher, ...report }, index) => ({
    ...report,
    occurred_at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
    sources: [{ url: `https://example.org/stories/${index + 1}`, publisher }],
  }))
  const response = await fetch(`${url}/v1/reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(reports),
  })
  const { data } = (await response.json()) as { data: { status: number }[] }
  const refused = data.filter(({ status }) => status !== 201)
  if (refused.length > 0) throw new Error(`reports were refused: ${JSON.stringify(refused)}`)
}
