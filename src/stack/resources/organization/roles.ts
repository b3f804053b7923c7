/** Roles: docs/DEPLOYMENTS.md#keys-members-roles. System roles cannot be changed, but be assigned. */
import { randomUUID } from 'node:crypto'
import type { Handlers } from '#contract/wire/kernel.ts'
import {
  isKnownPermission,
  isOfOrganization,
  type PolicyInput,
  type Role,
  type roles as contract,
} from '#contract/cloud/organization/roles.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { requireCovered } from '../../access/caller.ts'
import { keyRows } from '../../access/keyRows.ts'
import { memberRows } from '../../access/memberRows.ts'
import { fits, organizationTarget } from '../../access/policies.ts'
import { isSystemRole, policiesOf, roleRows, type RoleDocument, type StoredPolicy } from '../../access/roleRows.ts'
import { InvalidInput, Refusal, refuse } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import type { StackContext } from '../context.ts'
import {
  actorRoles,
  requireAdminKey,
  requireOwnAccess,
  requireRolesCovered,
  rolesNow,
  type Roles,
} from './assignments.ts'

const maxRoles = 200

export const roleHandlers: Handlers<typeof contract, StackContext> = {
  async list(_, context) {
    const [all, assigned] = [await rolesNow(context.store, context), await actorRoles(context.store)]
    return [...all.values()].map((role) => answerOf(role, assigned, context))
  },

  async get({ params }, context) {
    const role = roleOf(await rolesNow(context.store, context), params.roleId)
    return answerOf(role, await actorRoles(context.store), context)
  },

  create({ body }, context) {
    return context.store.write(async (transaction) => {
      const known = await rolesNow(transaction, context)
      if (known.size >= maxRoles) throw refuse(`An organization has at most ${maxRoles} roles`)
      refuseTakenName(known, body.name)
      const now = currentIsoTime()
      const policies = storedPolicies(body.policies, context)
      const role: RoleDocument = {
        id: randomUUID(),
        name: body.name,
        type: 'custom',
        policies,
        createdAt: now,
        updatedAt: now,
      }
      if (context.caller) requireCovered(context.caller, policies)
      await roleRows.insert(transaction, role)
      await assign(transaction, context, role, body.actors)
      await requireOwnAccess(transaction, context)
      return answerOf(role, await actorRoles(transaction), context)
    })
  },

  update({ params, body }, context) {
    return context.store.write(async (transaction) => {
      const known = await rolesNow(transaction, context)
      const stored = roleOf(known, params.roleId)
      if (stored.type === 'system' && (body.name !== undefined || body.policies)) throw systemRole(stored)
      if (body.name !== undefined) refuseTakenName(known, body.name, stored.id)
      const role: RoleDocument = {
        ...stored,
        ...(body.name !== undefined && { name: body.name }),
        ...(body.policies && { policies: storedPolicies(body.policies, context) }),
        ...(stored.type === 'custom' && { updatedAt: currentIsoTime() }),
      }
      if (context.caller) requireCovered(context.caller, stored.policies, role.policies)
      if (stored.type === 'custom') {
        await requireHoldersCovered(transaction, context, known, role)
        await roleRows.update(transaction, role)
      }
      if (body.actors) await assign(transaction, context, role, body.actors)
      await requireOwnAccess(transaction, context)
      return answerOf(role, await actorRoles(transaction), context)
    })
  },

  /** Keys and members lose the role with it. */
  delete({ params }, context) {
    return context.store.write(async (transaction) => {
      const role = roleOf(await rolesNow(transaction, context), params.roleId)
      if (role.type === 'system') throw systemRole(role)
      if (context.caller) requireCovered(context.caller, role.policies)
      await assign(transaction, context, role, [])
      await roleRows.delete(transaction, role.id)
    })
  },
}

/** @throws Refusal 404 */
function roleOf(known: Roles, id: string): RoleDocument {
  const role = known.get(id.toLowerCase())
  if (!role) throw new Refusal(404, id)
  return role
}

function systemRole({ name }: RoleDocument): Refusal {
  return refuse(`The system role ${name} cannot be changed or deleted`)
}

function refuseTakenName(known: Roles, name: string, except?: string): void {
  const taken = [...known.values()].some(
    (roleDocument) => roleDocument.id !== except && roleDocument.name.toLowerCase() === name.toLowerCase(),
  )
  if (taken) throw refuse(`A role with the name ${name} already exists`)
}

/** @throws InvalidInput for another organization, or a permission without a resource that it applies to */
function storedPolicies(policies: readonly PolicyInput[], { identity }: StackContext): StoredPolicy[] {
  return policies.map(({ allowDeny, permissions, resources, tags }, at) => {
    const own = organizationTarget(identity.organizationId)
    const targets = resources.map((resource) => resource.toLowerCase())
    const foreign = targets.find((target) => target.startsWith('organization/') && target !== own)
    if (foreign !== undefined) throw invalidPolicy(at, 'resources', 'must be this organization', foreign)
    const unfit = permissions
      .filter(isKnownPermission)
      .find((permission) => !targets.some((target) => fits(permission, target)))
    if (unfit !== undefined) {
      const needed = isOfOrganization(unfit) ? own : 'instance/<id> or instance/*'
      throw invalidPolicy(at, 'permissions', `${unfit} needs the resource ${needed}`, unfit)
    }
    return { id: randomUUID(), allowDeny, permissions, resources: [...new Set(targets)], ...(tags && { tags }) }
  })
}

function invalidPolicy(at: number, field: string, message: string, input: string): InvalidInput {
  return new InvalidInput([{ part: 'Body', issues: [{ path: `policies.${at}.${field}`, message, input }] }])
}

/** Policies of a role also change what those can do who have it together with other roles: a denial may be lifted. */
async function requireHoldersCovered(
  queries: Queries,
  context: StackContext,
  known: Roles,
  changed: RoleDocument,
): Promise<void> {
  const after = new Map([...known, [changed.id, changed]])
  for (const ids of (await actorRoles(queries)).values()) {
    if (ids.includes(changed.id) && context.caller) requireCovered(context.caller, policiesOf(after, ids))
  }
}

/** Gives the role to exactly these actors. @throws Refusal if one does not exist, or the caller may not */
async function assign(
  queries: Queries,
  context: StackContext,
  { id }: RoleDocument,
  actors: readonly string[],
): Promise<void> {
  const wanted = new Set(actors.map((actor) => actor.replace(/(?<=\/).*/, (id) => id.toLowerCase())))
  const before = await actorRoles(queries)
  const unknown = [...wanted].find((actor) => !before.has(actor))
  if (unknown !== undefined) throw refuse(`Actor ${unknown} does not exist in this organization`)
  const roles = await rolesNow(queries, context)
  for (const [actor, ids] of before) {
    if (ids.includes(id) === wanted.has(actor)) continue
    const next = wanted.has(actor) ? [...ids, id] : ids.filter((other) => other !== id)
    requireRolesCovered(context, roles, ids, next)
    await writeRoles(queries, actor, next)
  }
  if (isSystemRole(id)) await requireAdminKey(queries)
}

async function writeRoles(queries: Queries, actor: string, assignedRoleIds: readonly string[]): Promise<void> {
  const [kind, id = ''] = actor.split('/')
  if (kind === 'user') {
    const member = await memberRows.get(queries, id)
    if (member) await memberRows.update(queries, { ...member, assignedRoleIds })
    return
  }
  const key = await keyRows.get(queries, id)
  if (key) await keyRows.update(queries, { ...key, assignedRoleIds })
}

function answerOf(role: RoleDocument, assigned: Map<string, readonly string[]>, { identity }: StackContext): Role {
  const tenantId = identity.organizationId
  const { policies, ...shown } = role
  return {
    ...shown,
    tenantId,
    ownerId: tenantId,
    actors: [...assigned].flatMap(([actor, ids]) => (ids.includes(role.id) ? [actor] : [])),
    policies: policies.map(({ permissions, resources, ...policy }) => ({
      ...policy,
      roleId: role.id,
      tenantId,
      permissions: [...permissions],
      resources: [...resources],
    })),
  }
}
