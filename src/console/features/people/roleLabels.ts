import { roles, type Role } from '#contract/consoleRoles.ts'

const details: Record<Role, string> = {
  none: 'does not see it',
  viewer: 'reads and queries',
  editor: 'writes, except on production',
  operator: 'writes, on production too',
  administrator: 'also edits connections and people',
}

export const roleOptions = roles.map((value) => ({ value, label: `${value}: ${details[value]}` }))

/** For the list, where the column says what it is about. */
export const roleChoices = roles.map((value) => ({ value, label: value }))
