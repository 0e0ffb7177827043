import { createStore } from '../../shared/store.ts'

/** Whether the marks on the map are those of the current question; `none` before there is a map. */
export const mapTiles = createStore<'none' | 'loading' | 'loaded' | 'failed'>('none')
