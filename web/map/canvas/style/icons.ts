import type { Category } from '../../../../src/domain/taxonomy.ts'

/** A release or rescue is no attack, and an operation of the forces is none by armed groups. */
export type IconName = Category | 'hostage_release' | 'military_operation'

/** Outlines in a square of 16 by 16, drawn with round lines of 1.6. */
export const ICONS: Readonly<Record<IconName, string>> = {
  // A closed lock, and an open one.
  abduction: 'M4 8h8v5H4z M5.5 8V6a2.5 2.5 0 0 1 5 0v2',
  hostage_release: 'M4 8h8v5H4z M5.5 8V5.5a2.4 2.4 0 0 1 4.6-1',
  // A banknote.
  crime: 'M2.8 5.2h10.4v5.6H2.8z M8 6.7a1.3 1.3 0 1 0 .01 0',
  // A burst.
  armed_conflict:
    'M8 2.5v3 M8 10.5v3 M2.5 8h3 M10.5 8h3 M4.2 4.2l1.9 1.9 M9.9 9.9l1.9 1.9 M11.8 4.2l-1.9 1.9 M6.1 9.9l-1.9 1.9',
  // A shield.
  military_operation: 'M8 2.8l4.5 1.6v3.4c0 2.6-1.9 4.4-4.5 5.4-2.6-1-4.5-2.8-4.5-5.4V4.4z',
  // Two people.
  communal:
    'M5.3 5.6a1.5 1.5 0 1 0 .01 0 M2.6 12.5c0-3.4 5.4-3.4 5.4 0 M10.7 5.6a1.5 1.5 0 1 0 .01 0 M8 12.5c0-3.4 5.4-3.4 5.4 0',
  // Two crossed sticks.
  gang: 'M4 4l8 8 M12 4l-8 8',
  // A megaphone.
  civil_unrest: 'M3 6.8h2.5l6-3v8.4l-6-3H3z M5.8 9.5l.8 3.2',
  // An anchor.
  maritime: 'M8 5.2V13 M8 2.8a1.2 1.2 0 1 0 .01 0 M5.8 7.2h4.4 M3.5 9.5c.4 2.4 2.2 3.5 4.5 3.5s4.1-1.1 4.5-3.5',
  // A bolt.
  infrastructure: 'M9 2.5L4.5 9H8l-1 4.5L11.5 7H8z',
}
