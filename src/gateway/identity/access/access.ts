/** The access of the sender of a request. */
import { isAtLeast, lowerRole, roleReason, type Need, type Role } from '#contract/console/consoleRoles.ts'
import type { Stage } from '#contract/console/stages.ts'
import { failure } from '#node/upstream/apiFailure.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The access of the sender; null for somebody who is signed out. */
    access: Access | null
  }
}

/** Roles of a person: on single connections, and on all others. */
export interface Roles {
  role: Role
  roles: Readonly<Record<string, Role>>
}

/** Limits of a token. */
export interface Limits {
  role: Role
  /** IDs; null for all connections. */
  connections: readonly string[] | null
}

export interface Access {
  /** The person; null for a session that began with the link or password of the console. */
  personId: string | null
  /** `person <id>` or `token <id>`, so that the access can be checked again later; null without an account. */
  principal: string | null
  /** Whether it is a personal token, which never reaches accounts. */
  isToken: boolean
  /** Whether it may add connections and people. */
  administers: boolean
  roleOn(connectionId: string): Role
}

/** Full access, for sessions signed in with the console's own link or password. */
export const fullAccess: Access = {
  personId: null,
  principal: null,
  isToken: false,
  administers: true,
  roleOn: () => 'administrator',
}

export function accessOfPerson(personId: string, { role, roles }: Roles): Access {
  return {
    personId,
    principal: `person ${personId}`,
    isToken: false,
    administers: role === 'administrator',
    roleOn: (connectionId) => (Object.hasOwn(roles, connectionId) ? (roles[connectionId] ?? role) : role),
  }
}

/** A token may do what its person may now, within its own limits. */
export function accessOfToken(tokenId: string, personId: string, roles: Roles, limits: Limits): Access {
  const person = accessOfPerson(personId, roles)
  const { role, connections } = limits
  return {
    personId,
    principal: `token ${tokenId}`,
    isToken: true,
    administers: person.administers && role === 'administrator' && connections === null,
    roleOn: (connectionId) =>
      connections === null || connections.includes(connectionId)
        ? lowerRole(person.roleOn(connectionId), role)
        : 'none',
  }
}

/**
 * The identity whose requests take turns with those of others within the rate limit of a key: a person with all of their browsers, so that nobody gets more by opening
 * another one; a token, so that an agent does not delay its person; or a session without an account.
 */
export function turnTaker({ access, sessionKey }: { access: Access | null; sessionKey: string }): string {
  return access?.principal ?? sessionKey
}

/** The connection's properties that access depends on. */
export interface Stages {
  /** Undefined for a connection that does not exist. */
  stageOf(connectionId: string): Stage | undefined
  /** Whether everybody who may read a connection may run SQL on it, whatever its stage. */
  allowsSqlToReaders(connectionId: string): boolean
}

/** Whether somebody sees that a connection exists. What is left of a deleted one is for administrators. */
export function sees(access: Access | null, stages: Stages, connectionId: string): boolean {
  if (access === null) return false
  if (stages.stageOf(connectionId) === undefined) return access.administers
  return isAtLeast(access.roleOn(connectionId), 'viewer')
}

/** @throws notFound for a connection that the sender does not see, and forbidden with the role that is needed */
export function refuseBeyond(access: Access, stages: Stages, connectionId: string, need: Need): void {
  const stage = stages.stageOf(connectionId)
  if (stage === undefined) {
    // The handlers say it to those who see all connections.
    if (access.administers) return
    throw unknownConnection()
  }
  if (!sees(access, stages, connectionId)) throw unknownConnection()
  const reason = reasonAgainst(access, stages, { connectionId, stage }, need)
  if (reason !== undefined) throw failure('forbidden', reason)
}

/** Why somebody may not do something on a connection; undefined if it is allowed. */
export function reasonAgainst(
  access: Pick<Access, 'roleOn'>,
  stages: Pick<Stages, 'allowsSqlToReaders'>,
  { connectionId, stage }: { connectionId: string; stage: Stage },
  need: Need,
): string | undefined {
  const isEased = need === 'query' && stages.allowsSqlToReaders(connectionId)
  return roleReason(access.roleOn(connectionId), isEased ? 'read' : need, stage)
}

/** The error of a connection that does not exist and of one that the sender may not see: nobody can tell which. */
export function unknownConnection() {
  return failure('notFound', 'This connection does not exist. It may have been deleted.')
}

/** @throws forbidden for everybody but administrators of the console */
export function refuseOthers(access: Access): void {
  if (!access.administers) throw failure('forbidden', 'This needs the role administrator on all connections.')
}
