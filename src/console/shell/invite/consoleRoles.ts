/** The roles of the console, to choose from. */
import { roles, type Role } from '#contract/consoleRoles.ts'

const details: Record<Role, string> = {
  none: 'does not see it',
  viewer: 'reads and queries',
  editor: 'writes, except on production',
  operator: 'writes, on production too',
  administrator: 'also edits connections and people',
}

export const roleOptions = roles.map((value) => ({ value, label: `${value}: ${details[value]}` }))
