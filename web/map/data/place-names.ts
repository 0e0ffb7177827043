import { useEffect } from 'preact/hooks'
import { createStore, useStore } from '../../shared/store.ts'
import { api } from '../api.ts'
import { initialData } from '../initial-data.ts'
import { snapshot } from './snapshot.ts'

type Names = Readonly<Record<string, string>>

/** The names of states and LGAs by code, as far as they are known. */
const placeNames = createStore<Names>(initialData.names)

const requested = new Set<string>()

/** Returns the name of a state or an LGA; null until it has been loaded. */
export function usePlaceName(code: string | null): string | null {
  const names = useStore(placeNames)
  const { currentAt } = useStore(snapshot)
  const name = code === null ? null : (names[code] ?? null)
  // Whenever list and counts have been loaded, a name that could not be is worth another request.
  useEffect(() => {
    if (code !== null && name === null) void loadNames(code)
  }, [code, name, currentAt])
  return name
}

/** Loads the names of all states, or of all LGAs of the state that the code begins with. */
async function loadNames(code: string): Promise<void> {
  const [country, state, lga] = code.split('-', 3)
  const path = lga === undefined ? '/v1/places/states' : '/v1/places/lgas'
  const query = new URLSearchParams(lga === undefined ? {} : { state: `${country}-${state}` })
  const request = `${path}?${query}`
  if (requested.has(request)) return
  requested.add(request)
  try {
    const { data } = await api.getJson<{ data: { code: string; name: string }[] }>(path, query)
    placeNames.set({ ...placeNames.get(), ...Object.fromEntries(data.map((place) => [place.code, place.name])) })
  } catch (error) {
    requested.delete(request)
    console.warn('The names of places could not be loaded; the page tries again:', error)
  }
}
