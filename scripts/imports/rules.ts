const BASE = ['lib', 'domain', 'filter']

/**
 * Folders and files of `src/` with what they may import, themselves aside. Unlisted ones may import
 * everything.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  i18n: ['lib', 'domain'],
  config: ['lib'],
  domain: ['lib'],
  filter: ['lib', 'domain'],
  geo: ['lib', 'domain'],
  reading: ['lib', 'domain', 'geo'],
  trends: ['lib'],
  formats: BASE,
  store: ['lib', 'domain'],
  archive: [...BASE, 'store'],
  'event-log': ['lib', 'domain', 'store', 'archive'],
  matching: BASE,
  downloads: ['lib', 'domain', 'formats', 'archive'],
  accounts: ['lib', 'domain', 'store'],
  deliveries: [...BASE, 'formats', 'i18n', 'store', 'matching', 'accounts', 'version.ts'],
  streams: [...BASE, 'store', 'archive', 'event-log', 'matching'],
  desk: [...BASE, 'geo', 'reading', 'formats', 'store', 'deliveries'],
  demo: ['lib', 'domain', 'store'],
  tracing: ['lib', 'store'],
  api: [
    ...[...BASE, 'geo', 'reading', 'formats', 'store', 'archive', 'event-log', 'downloads', 'accounts'],
    ...['deliveries', 'streams', 'desk', 'i18n', 'trends', 'config', 'tracing', 'version.ts'],
  ],
  pages: [
    ...[...BASE, 'geo', 'reading', 'formats', 'store', 'archive', 'event-log', 'downloads', 'accounts'],
    ...['deliveries', 'streams', 'desk', 'i18n', 'trends', 'config', 'tracing', 'api', 'version.ts'],
  ],
}

/** Sub-folders in order: each may import itself and those before it. */
export const SUBFOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  'src/archive': ['columns', 'documents', 'segments', 'query', 'aggregate'],
  'src/deliveries': ['channels', 'guard', 'send', 'alerts'],
  'src/api': ['request.ts', 'response.ts', 'auth'],
  'src/desk': ['decision.ts', 'reports', 'tips', 'importing', 'gazetteer', 'sources'],
  'src/store': ['interface', 'queries', 'sqlite', 'postgres', 'secrets'],
}

/**
 * Paths that only some may import: nothing but the composition root and the commands opens a store.
 */
export const PRIVATE: readonly { readonly path: RegExp; readonly importers: RegExp }[] = [
  { path: /^src\/store\/(queries|sqlite|postgres)\//, importers: /^src\/store\// },
  {
    path: /^src\/store\/(secrets\/|copy\/|(open|backup|files|migrations)\.ts)/,
    importers: /^src\/(store|cli|startup|app\.ts)/,
  },
  { path: /^src\/store\/postgres\//, importers: /^src\/store\/(?!sqlite\/)/ },
  { path: /^src\/(?!lib\/|domain\/|filter\/|i18n\/)/, importers: /^(?!web\/)/ },
  // The client is a package of its own: it knows the contract by its generated types only.
  { path: /^(?!client\/)/, importers: /^(?!client\/)/ },
  { path: /^client\/(?!src\/generated\/types\.ts$)/, importers: /^client\// },
  // Generated from the contract, which cannot follow references between schemas by itself: handlers
  // and pages are held against these types. They are types only: nothing of the client is loaded.
  { path: /^client\/src\/generated\/types\.ts$/, importers: /^(client|src\/api|src\/pages|web)\// },
  // The command and the handlers use the client like anybody.
  { path: /^client\/src\/(?!index\.ts|handlers\/|generated\/types\.ts)/, importers: /^client\/src\/(?!handlers\/)/ },
  { path: /^client\/cli\//, importers: /^client\/cli\// },
]
