/** Roles on a connection. Without schemas, so that the frame of the console loads none. */
import type { Stage } from './stages.ts'

/** Each role may do what the ones before it may. */
export const roles = ['none', 'viewer', 'editor', 'operator', 'administrator'] as const
export type Role = (typeof roles)[number]

/**
 * The kind of a request's effect on a connection. `read`: reads and queries. `query`: SQL of one's own. `arrange`: what the console itself remembers about the connection. `write`: anything that changes
 * the deployment. `administrate`: the connection itself, such as its key.
 */
export type Need = 'read' | 'query' | 'arrange' | 'write' | 'administrate'

/** The least role for it. */
export function roleNeeded(need: Need, stage: Stage): Role {
  if (need === 'read') return 'viewer'
  if (need === 'query') return stage === 'production' ? 'operator' : 'viewer'
  if (need === 'arrange') return 'editor'
  if (need === 'write') return stage === 'production' ? 'operator' : 'editor'
  return 'administrator'
}

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

export function lowerRole(role: Role, other: Role): Role {
  return isAtLeast(role, other) ? other : role
}

/** Why somebody with a role may not do it; undefined if it is allowed. */
export function roleReason(role: Role, need: Need, stage: Stage): string | undefined {
  const needed = roleNeeded(need, stage)
  if (isAtLeast(role, needed)) return undefined
  const has = role === 'none' ? 'You have no role on this connection.' : `Your role on this connection is ${role}.`
  const isStricter = (need === 'write' || need === 'query') && stage === 'production'
  return `${has} This needs the role ${needed}${isStricter ? ', because it is a production connection' : ''}.`
}
