/**
 * Rotations of the API keys that connections use: a new key with the roles and addresses of the old one, the connections get
 * it, it is tested, the old one is disabled, and later deleted. Until then everything can be undone. The new key is made and
 * stored here before the deployment gets its hashes, so that neither a lost response nor a kill loses it.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { apiKeys, type ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import {
  rotationSteps,
  type ApiKeyRotation,
  type rotationInput,
  type RotationPhase,
  type RotationStep,
} from '#contract/console/apiKeyRotations.ts'
import { mayBeKeyOf } from '#domain/apiKeys/keyExpiry.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { ApiFailure, failureSentence, failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { WriteCause } from '#node/upstream/operation.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { z } from 'zod'
import { refuseBeyond, type Access } from '../identity/access/access.ts'
import { breakGlassApproval, type TwoPersonApproval } from '../approvals/twoPersonApproval.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import type { CurrentAccess } from '../identity/people/currentAccess.ts'
import { newKeyPair, suffixOf, steps, type KeyChange } from './rotationSteps.ts'
import { OrganizationKeys } from './organizationKeys.ts'
import type { RotationStore, StoredRotation } from './rotationStore.ts'

export interface RotationDependencies {
  rotations: RotationStore
  connections: Connections
  deployments: Deployments
  currentAccess: CurrentAccess
  twoPersonApproval: Pick<TwoPersonApproval, 'routeOfWrite'>
  audit: AuditLog
  logger: FastifyBaseLogger
  follow: (change: KeyChange) => Promise<void>
  /** Milliseconds between attempts of what a deployment may notice only after a while. */
  pauses: readonly number[]
  /** Called with the ID of a connection whose key has changed. */
  onChange: (connectionId: string) => void
}

/** Who starts or resumes a rotation. */
export interface RotationSender {
  actor: string
  access: Access
}

export class Rotations {
  /** Rotations under way, by their IDs. */
  readonly #active = new Map<string, Promise<void>>()
  #closing = false
  readonly #parts: RotationDependencies

  constructor(parts: RotationDependencies) {
    this.#parts = parts
  }

  /**
   * Stores a rotation and starts it.
   * @throws invalid for a key that the connection does not use, blocked if it is being rotated, readOnly, forbidden
   */
  async start(connectionId: string, input: z.output<typeof rotationInput>, sender: RotationSender): Promise<string> {
    const { connections } = this.#parts
    const target = this.#writable(connectionId)
    await this.#approvalOf(target, sender.access)
    const old = connections.keyPairOf(connectionId)
    const place = { baseUrl: target.baseUrl, organizationId: target.organizationId ?? '' }
    this.refuseBeyondRole(place, old, sender.access)
    const all = await this.#keysOf(target, { actor: sender.actor, personId: sender.access.personId }).list()
    const key = all.find(({ id }) => id === input.apiKeyId)
    refuseOtherKey(key, all, old.keyId, input.confirmsAlike)
    const next = newKeyPair(new Set(all.map(({ keySuffix }) => keySuffix ?? '')))
    const id = randomBytes(9).toString('hex')
    const isStored = await this.#parts.rotations.create({
      id,
      connectionId,
      phase: 'rotate',
      state: 'running',
      done: 0,
      startedAt: currentIsoTime(),
      details: {
        ...sentBy(sender),
        ...place,
        oldKey: { id: key.id, name: key.name, suffix: key.keySuffix ?? '' },
        newKey: { name: input.name, suffix: suffixOf(next.keyId), expireAt: input.expireAt },
        access: accessOf(key),
        pairs: { old, new: next },
      },
    })
    if (!isStored) throw failure('blocked', `${key.name} is being rotated already. Open that rotation.`)
    this.#launch(id)
    return id
  }

  /** Carries out the steps that are left. */
  async resume(rotation: StoredRotation, sender: RotationSender): Promise<void> {
    if (this.stateOf(rotation) === 'running' || rotation.state === 'done') {
      throw failure('blocked', 'Only a rotation that failed or was interrupted can be resumed.')
    }
    await this.#continue(rotation, rotation.phase, rotation.done, sender)
  }

  /** Enables the old key, gives it back to the connections, and deletes the new key. */
  async undo(rotation: StoredRotation, sender: RotationSender): Promise<void> {
    if (rotation.phase === 'undo' || rotation.endedAt) {
      throw failure('blocked', 'This rotation cannot be undone any more.')
    }
    if (this.stateOf(rotation) === 'running') throw failure('blocked', 'Wait until the current steps have ended.')
    const { details } = rotation
    const { pairs } = details
    const uses = (['old', 'new'] as const).some(
      (which) => pairs && this.#parts.connections.withKeyPair(details, pairs[which]).length > 0,
    )
    if (!uses) {
      throw failure(
        'conflict',
        'No connection uses a key of this rotation any more. If it was rotated again, undo that.',
      )
    }
    await this.#continue(rotation, 'undo', 0, sender)
  }

  /** Deletes the old key, once it is disabled; also if an undo failed before a connection got it back. */
  async finish(rotation: StoredRotation, sender: RotationSender): Promise<void> {
    const { phase, details, endedAt } = rotation
    const isRotated = phase === 'rotate' && rotation.state === 'done'
    const isKept =
      phase === 'undo' &&
      this.stateOf(rotation) !== 'running' &&
      details.pairs !== null &&
      this.#parts.connections.withKeyPair(details, details.pairs.old).length === 0
    if (endedAt || !(isRotated || isKept)) {
      throw failure('blocked', 'The old key can be deleted once the rotation is done, and no connection uses it.')
    }
    await this.#continue(rotation, 'finish', 0, sender)
  }

  /** The current state of a rotation: interrupted if it has not ended and no console works on it. */
  stateOf({ id, state, owner, isLeft }: StoredRotation): ApiKeyRotation['state'] {
    const isLost = owner === this.#parts.rotations.owner ? !this.#active.has(id) : isLeft
    return state === 'running' && isLost ? 'interrupted' : state
  }

  /** Ends all rotations after their current steps. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all(this.#active.values())
  }

  /** @throws forbidden for a rotation that changes a connection that the sender may not administrate */
  refuseBeyondRole(
    place: Pick<UpstreamTarget, 'baseUrl' | 'organizationId'>,
    pair: { keyId: string; keySecret: string },
    access: Access,
  ): void {
    const { connections } = this.#parts
    for (const { id } of connections.withKeyPair(place, pair)) {
      try {
        refuseBeyond(access, connections, id, 'administrate')
      } catch {
        throw failure(
          'forbidden',
          'Another connection of this console uses the same key, and you are not its administrator. Ask an administrator of the console.',
        )
      }
    }
  }

  async #continue(rotation: StoredRotation, phase: RotationPhase, done: number, sender: RotationSender): Promise<void> {
    if (this.#closing) throw failure('blocked', 'The console is being stopped. Nothing was started.')
    const { pairs } = rotation.details
    await this.#approvalOf(this.#writable(rotation.connectionId), sender.access)
    for (const pair of Object.values(pairs ?? {})) this.refuseBeyondRole(rotation.details, pair, sender.access)
    const { problem: _, ...details } = rotation.details
    const stored = await this.#parts.rotations.update({
      ...rotation,
      phase,
      done,
      state: 'running',
      details: { ...details, ...sentBy(sender) },
    })
    if (!stored) throw failure('conflict', 'Somebody else has changed this rotation meanwhile.')
    this.#launch(rotation.id)
  }

  #launch(id: string): void {
    const run = this.#run(id)
      .catch((error: unknown) => {
        // Shown as interrupted, and resumed by hand.
        this.#parts.logger.error({ err: error }, 'A rotation of an API key ended early.')
      })
      .finally(() => {
        // Its end is already stored, so somebody may have resumed it.
        if (this.#active.get(id) === run) this.#active.delete(id)
      })
    this.#active.set(id, run)
  }

  async #run(id: string): Promise<void> {
    const { rotations } = this.#parts
    let rotation = await rotations.get(id)
    while (rotation?.state === 'running' && !this.#closing) {
      rotation = await rotations.update(await this.#afterStep(rotation))
    }
  }

  /** Carries out the next step. */
  async #afterStep(rotation: StoredRotation): Promise<StoredRotation> {
    const { phase, done, details } = rotation
    const step: RotationStep | undefined = rotationSteps[phase][done]
    const { pairs } = details
    if (step === undefined || !pairs) return { ...rotation, state: 'done' }
    const enter = (outcome: 'done' | 'failed', reason: string | null) =>
      this.#parts.audit.enterStep({
        actor: details.actor,
        personId: details.personId,
        event: `apiKeyRotation.${step}`,
        connectionId: rotation.connectionId,
        subject: step === 'create' || step === 'remove' ? details.newKey.name : details.oldKey.name,
        outcome,
        reason,
        request: rotation.id,
      })
    try {
      const access = await this.#refuseFormer(rotation)
      const { connections, follow, pauses } = this.#parts
      const target = this.#writable(rotation.connectionId)
      const approval = await this.#approvalOf(target, access)
      const keys = this.#keysOf(target, {
        actor: details.actor,
        personId: details.personId,
        run: rotation.id,
        approval,
      })
      const learned = await steps[step]({ details, pairs, keys, connections, follow, pauses })
      if (step === 'switch' || step === 'switchBack') this.#noteChange(rotation)
      await enter('done', null)
      return advanced({ ...rotation, details: learned })
    } catch (error) {
      const problem = error instanceof ApiFailure ? failureSentence(error) : 'An internal error. The log has more.'
      if (!(error instanceof ApiFailure)) this.#parts.logger.error({ err: error }, 'A step of a rotation failed.')
      await enter('failed', problem)
      return { ...rotation, state: 'failed', details: { ...details, problem } }
    }
  }

  #noteChange({ details }: StoredRotation): void {
    const { pairs } = details
    for (const pair of Object.values(pairs ?? {})) {
      for (const { id } of this.#parts.connections.withKeyPair(details, pair)) this.#parts.onChange(id)
    }
  }

  /** Roles may change while a rotation is under way. */
  async #refuseFormer({ connectionId, details }: StoredRotation): Promise<Access> {
    const access = await this.#parts.currentAccess.accessOf(details.by ?? null)
    if (!access) throw failure('forbidden', `${details.actor} may not use the console any more.`)
    refuseBeyond(access, this.#parts.connections, connectionId, 'administrate')
    return access
  }

  /** The approval that lets its writes pass where changes need approval. @throws blocked without a break-glass */
  async #approvalOf(target: UpstreamTarget, access: Access): Promise<string | undefined> {
    const path = upstreamPath(apiKeys.create, target, {})
    const route = await this.#parts.twoPersonApproval.routeOfWrite(target, access, {
      endpoint: apiKeys.create,
      path,
      priority: 'user',
    })
    if (route === 'direct') return undefined
    if (route === 'breakGlass') return breakGlassApproval
    throw failure(
      'blocked',
      'Changes of this connection need approval, and a rotation cannot wait for one between its steps. Rotate its key during a break-glass.',
    )
  }

  #writable(connectionId: string): UpstreamTarget {
    const target = this.#parts.connections.open(connectionId)
    if (target.readOnly) throw failure('readOnly', 'This connection is read-only. Nothing was changed.')
    return target
  }

  #keysOf(target: UpstreamTarget, cause: Omit<WriteCause, 'origin'>): OrganizationKeys {
    return new OrganizationKeys(this.#parts.deployments, target, { ...cause, origin: 'console' })
  }
}

/** The rotation after a step. One that has nothing left to do forgets both keys. */
function advanced(rotation: StoredRotation): StoredRotation {
  const { phase, details } = rotation
  const done = rotation.done + 1
  if (done < rotationSteps[phase].length) return { ...rotation, done }
  if (phase === 'rotate') return { ...rotation, done, state: 'done' }
  return { ...rotation, done, state: 'done', endedAt: currentIsoTime(), details: { ...details, pairs: null } }
}

function sentBy({ actor, access }: RotationSender) {
  return { actor, by: access.principal ?? undefined, personId: access.personId }
}

/** @throws invalid unless the key is certainly that of the connection */
function refuseOtherKey(
  key: ApiKey | undefined,
  all: readonly ApiKey[],
  keyId: string,
  confirmsAlike: boolean,
): asserts key is ApiKey {
  if (!key) throw failure('notFound', 'This API key does not exist. It may have been deleted.')
  if (!mayBeKeyOf(key, keyId)) {
    throw failure('invalid', `This connection does not use ${key.name}: the ID of its key ends otherwise.`)
  }
  const alike = all.filter((other) => other.id !== key.id && mayBeKeyOf(other, keyId))
  if (alike.length === 0 || confirmsAlike) return
  const names = alike.map(({ name }) => name).join(', ')
  throw failure(
    'invalid',
    `The ID of ${names} ends like that of ${key.name}. Confirm that this connection uses ${key.name}.`,
    {
      fields: [{ path: 'confirmsAlike', message: 'Confirm it' }],
    },
  )
}

function accessOf({ assignedRoles, roles, ipAccessList }: ApiKey): StoredRotation['details']['access'] {
  return {
    ...(assignedRoles && assignedRoles.length > 0
      ? { assignedRoleIds: assignedRoles.map(({ roleId }) => roleId) }
      : { roles: roles ?? [] }),
    ipAccessList: (ipAccessList ?? []).map(({ source, description }) => ({
      source,
      ...(description && { description }),
    })),
  }
}
