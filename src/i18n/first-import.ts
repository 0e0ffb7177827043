/** The command with which an operator fills an empty archive; docs/importing.md explains it. */
export const FIRST_IMPORT = 'npx incident-feed import ucdp events.csv'
