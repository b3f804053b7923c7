/** Single writes that wait for approval: the effect of each on the current record, and how it is sent. */
import { z } from 'zod'
import { consoleEndpoints } from '#contract/index.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { RequestedChange } from '#contract/console/changeRequests.ts'
import { diff } from '#domain/json/diff.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { fieldsNotKept } from '#domain/records/fieldsNotKept.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Operation, WriteCause } from '#node/upstream/operation.ts'
import { readRecord, recordLocation, recordName } from '#node/upstream/records.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { HeldOperation } from '../../approvals/approvalQueue.ts'
import type { GuardedWrites } from '../../resources/guardedWrites.ts'
import type { Revisions } from '../../resources/recordRevisions.ts'
import { fieldsOf, type PlannedChange } from './plannedChange.ts'
import type { HeldWrite } from './storedRequest.ts'

interface HeldWriteDependencies {
  deployments: Deployments
  guardedWrites: GuardedWrites
  revisions: Revisions
}

/** A write with its effect on the current record, and the revision of that record. */
export interface PlannedWrite extends PlannedChange {
  write: HeldWrite
  revision: string | undefined
}

/** Operations whose answer is a secret that is shown once, or that change the key of the connection: they cannot wait. */
const keyOperations = new Set(['team.rotateAccessKey'])

/** @throws blocked for an operation that cannot wait for approval */
export function refuseUnheld({ resource, verb, reveals, shownOnce }: Endpoint): void {
  if (!reveals && shownOnce.length === 0 && !keyOperations.has(`${resource}.${verb}`)) return
  throw failure(
    'blocked',
    'This returns a key or password once, and cannot wait for approval. An administrator can do it during a break-glass. Nothing was sent.',
  )
}

/** A stored write. */
export function heldWriteOf({ operation, current }: HeldOperation): HeldWrite {
  const { endpoint, params = {}, query, body } = operation
  const { resource, verb } = endpoint
  return {
    key: keyOf(operation),
    resource,
    verb,
    params,
    query: query?.toString(),
    body,
    name: nameOf(current) ?? nameOf(bodyOf(body)) ?? Object.values(params).at(-1) ?? '',
    ...(current !== undefined && { asked: current }),
  }
}

/** The writes of a request with one more: a later write to the same address takes the place of an earlier one. */
export function withWrite(writes: readonly HeldWrite[], added: HeldWrite): HeldWrite[] {
  const address = addressOf(added)
  return [
    ...writes.filter((write) => write.key !== added.key && (isCreation(write) || addressOf(write) !== address)),
    added,
  ]
}

export class HeldWrites {
  readonly #dependencies: HeldWriteDependencies

  constructor(dependencies: HeldWriteDependencies) {
    this.#dependencies = dependencies
  }

  /** The effect of each write on the current records, which are read one after another. */
  async plan(target: UpstreamTarget, writes: readonly HeldWrite[]): Promise<PlannedWrite[]> {
    const planned: PlannedWrite[] = []
    for (const write of writes) planned.push(await this.#planOne(target, write))
    return planned
  }

  /**
   * Sends a write.
   * @param touched names of the records that earlier writes of the same request changed; these are not compared again
   * @returns paths of fields that the deployment did not keep
   */
  async send(
    target: UpstreamTarget,
    { write, revision }: PlannedWrite,
    cause: WriteCause,
    touched: Set<string>,
  ): Promise<string[]> {
    const operation = { ...operationOf(target, write), cause }
    const location = recordLocation(operation.endpoint, write.params)
    const name = location && recordName(target, location)
    const base = name !== null && touched.has(name) ? undefined : revision
    const sent = { location, base, needsCurrent: false, operation: () => operation }
    const { result } = await this.#dependencies.guardedWrites.write(target, sent)
    if (name !== null) touched.add(name)
    return fieldsNotKept(operation.endpoint, bodyOf(write.body), result)
  }

  async #planOne(target: UpstreamTarget, write: HeldWrite): Promise<PlannedWrite> {
    const endpoint = endpointOf(write)
    const location = recordLocation(endpoint, write.params)
    const plain = { key: write.key, kind: write.resource, name: write.name, recordId: lastOf(write.params) }
    const action = actionOf(endpoint)
    const view: RequestedChange = {
      ...plain,
      action,
      ...(action === 'operate' && { verb: write.verb }),
      ...fieldsOf(endpoint, changesOf(endpoint, write, undefined), undefined),
      changedSince: false,
      ...(endpoint.verb === 'create' && { recordId: null }),
    }
    if (!location) return { write, view, revision: undefined, identity: stringifyJson([write.key, write.body]) }
    const current = await readRecord(this.#dependencies.deployments, target, location).catch(asGone)
    if (current === gone) {
      const problem = 'The record was deleted since.'
      const identity = stringifyJson([write.key, write.body, null])
      return { write, view: { ...view, changedSince: true, problem }, revision: undefined, identity }
    }
    const rule = location.reader.record
    const revision = this.#dependencies.revisions.of(rule, current)
    const changes = changesOf(endpoint, write, current)
    return {
      write,
      revision,
      identity: stringifyJson([write.key, write.body, revision]),
      view: {
        ...view,
        ...fieldsOf(endpoint, changes, askedOf(endpoint, write)),
        changedSince: this.#dependencies.revisions.of(rule, write.asked) !== revision,
      },
    }
  }
}

/** The request of a write. */
export function operationOf(target: UpstreamTarget, write: HeldWrite): Operation {
  const endpoint = endpointOf(write)
  return {
    endpoint,
    path: upstreamPath(endpoint, target, write.params),
    params: write.params,
    query: write.query ? new URLSearchParams(write.query) : undefined,
    body: write.body,
    priority: 'user',
  }
}

/** @throws notFound for an operation that this version does not have */
export function endpointOf({ resource, verb }: Pick<HeldWrite, 'resource' | 'verb'>): Endpoint {
  const found = consoleEndpoints.find((endpoint) => endpoint.resource === resource && endpoint.verb === verb)
  if (!found) throw failure('notFound', `This version of the console cannot ${verb} ${resource}.`)
  return found
}

function changesOf(endpoint: Endpoint, write: HeldWrite, current: unknown) {
  const sent = bodyOf(write.body)
  if (endpoint.method === 'DELETE' && !endpoint.operates) return []
  return diff(beforeOf(endpoint, sent, current), sent)
}

/** The record when the write was asked for, as far as the write touches it. */
function askedOf(endpoint: Endpoint, write: HeldWrite): unknown {
  return write.asked === undefined ? undefined : beforeOf(endpoint, bodyOf(write.body), write.asked)
}

/** The current values of the fields that a body sets. A whole body takes away what it does not name. */
function beforeOf(endpoint: Endpoint, sent: JsonObject, current: unknown): JsonObject {
  if (!isPlainObject(current)) return {}
  // `…/scaling` writes the part of the record with the same name.
  const part = current[endpoint.path.slice(endpoint.path.lastIndexOf('/') + 1)]
  const stored = isPlainObject(part) ? part : current
  const known =
    endpoint.method === 'PUT' && endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : []
  const names = new Set([...Object.keys(sent), ...known])
  return Object.fromEntries(Object.entries(stored).filter(([name, value]) => names.has(name) && value != null))
}

function actionOf({ verb, method, operates, path }: Endpoint): RequestedChange['action'] {
  if (verb === 'create') return 'create'
  if (operates) return 'operate'
  if (method === 'DELETE') return path.endsWith('}') ? 'delete' : 'operate'
  return verb.startsWith('update') ? 'update' : 'operate'
}

function keyOf({ endpoint, path, body }: Operation): string {
  const key = `${endpoint.method} ${path}`
  // Two creations are two records.
  return endpoint.verb === 'create' ? `${key} ${nameOf(bodyOf(body)) ?? ''}` : key
}

const isCreation = ({ verb }: HeldWrite) => verb === 'create'

/** Two writes to one address cannot both be carried out as they were asked for. */
function addressOf({ key }: HeldWrite): string {
  return key.split(' ')[1] ?? ''
}

function bodyOf(body: string | undefined): JsonObject {
  const value = body === undefined ? {} : readJson(body)
  return isPlainObject(value) ? value : { value }
}

function nameOf(record: unknown): string | undefined {
  const name = isPlainObject(record) ? record['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

function lastOf(params: Record<string, string>): string | null {
  return Object.values(params).at(-1) ?? null
}

const gone = Symbol('gone')

function asGone(error: unknown): typeof gone {
  if (error instanceof ApiFailure && error.error.code === 'notFound') return gone
  throw error
}
