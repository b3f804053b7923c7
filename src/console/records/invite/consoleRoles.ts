/** The fields of a form for a person's roles in the console: one for all connections, and exceptions from it. */
import { z } from 'zod'
import type { Connection } from '#contract/console/connections.ts'
import { roles, type Role } from '#contract/console/consoleRoles.ts'

const details: Record<Role, string> = {
  none: 'does not see it',
  viewer: 'reads and queries',
  editor: 'writes, except on production',
  operator: 'writes, on production too',
  administrator: 'also edits connections and people',
}

/** Roles to choose from. */
export const roleOptions = roles.map((value) => ({ value, label: `${value}: ${details[value]}` }))

/** The form fields `role` and `exceptions`. */
export const roleShape = {
  role: z.enum(roles),
  /** On each connection in its order; empty for that role. */
  exceptions: z.array(z.enum(['', ...roles])),
}

/** Properties of the field `role`. */
export const roleField = {
  name: 'role',
  label: 'Default role',
  options: roleOptions,
  help: 'Applies to all connections for which no other role is chosen below.',
} as const

/** Properties of the fields of `exceptions`, with the ID of their connection. */
export const exceptionFields = (connections: readonly Connection[], role: Role) =>
  connections.map(({ id, name }, at) => ({
    id,
    field: {
      name: `exceptions.${at}` as const,
      label: `Role on ${name}`,
      options: [{ value: '', label: `Default role: ${role}` }, ...roleOptions],
    },
  }))

/** The exceptions by the ID of their connection. */
export const chosenExceptions = (
  connections: readonly Connection[],
  exceptions: readonly (Role | '')[],
): Record<string, Role> =>
  Object.fromEntries(
    connections.flatMap(({ id }, at): [string, Role][] => {
      const role = exceptions[at]
      return role ? [[id, role]] : []
    }),
  )
