/** The calls of the record kit: what the pages read and write, for any resource. */
import { removeFromLists } from '#console/api/cache/removeFromLists.ts'
import { call } from '#console/api/call.ts'
import { ApiFailure } from '#console/api/failure.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'
import { invalidate, pageReads, q, type PageReads } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { Endpoint, Input } from '#contract/wire/kernel.ts'
import type { CrudResource, RecordBase, RecordKey, Resource } from './resource.ts'

/** The input of an endpoint of one record, or of its collection if the key ends before the record's own ID. */
export function inputOf(
  { idParams }: Pick<Resource<never>, 'idParams'>,
  key: RecordKey,
  body?: unknown,
): Input<Endpoint> {
  const params = Object.fromEntries(idParams.slice(0, key.length).map((name, at) => [name, key[at]]))
  const input: object = { params, ...(body !== undefined && { body }) }
  return input as Input<Endpoint> // `defineResource` checks the parameters; endpoints check the body
}

/** The input of `create`: a body, checked by the schema of the contract, and what the record is created in. */
export function creationInput<T extends RecordBase>(
  resource: CrudResource<T>,
  body: unknown,
  parentKey: RecordKey = [],
): Input<Endpoint> {
  return inputOf(resource, parentKey, resource.api.create.body.parse(body))
}

/** The parent of a record: its key without its own ID. */
export function parentKeyOf({ idParams }: Pick<Resource<never>, 'idParams'>, input: Input<Endpoint>): RecordKey {
  const { params = {} } = input as { params?: Record<string, string> } // from `creationInput`
  return idParams.slice(0, -1).map((name) => params[name] ?? '')
}

/** The API's answer for a record that does not exist. */
export function recordNotFound(noun: string, id: string): ApiFailure {
  return new ApiFailure({ code: 'notFound', status: 404, message: `There is no ${noun} with the ID ${id}.` })
}

/** Reads a record past the cache. */
export async function readBack<T extends RecordBase>(
  resource: Resource<T>,
  connectionId: string,
  key: RecordKey,
): Promise<T> {
  const { api, noun } = resource
  if (api.get) return call(connectionId, api.get, inputOf(resource, key), { priority: 'readBack' })
  const all = await call(connectionId, api.list, {}, { priority: 'readBack' })
  const id = key.at(-1) ?? ''
  const found = all.find((candidate) => candidate.id === id)
  if (!found) throw recordNotFound(noun, id)
  return found
}

/** Creates a record from a body. */
export async function createRecord<T extends RecordBase>(
  resource: CrudResource<T>,
  connectionId: string,
  body: unknown,
): Promise<T> {
  return call(connectionId, resource.api.create, creationInput(resource, body))
}

/**
 * Writes a record on top of `base`: nothing is written where something else is stored, or where nothing would change.
 * @param titles fields as they are called on the screen, by their paths
 */
export async function updateRecord<T extends RecordBase>(
  resource: Resource<T>,
  connectionId: string,
  key: RecordKey,
  base: T,
  body: unknown,
  titles?: Readonly<Record<string, string>>,
): Promise<T> {
  const { api } = resource
  if (isEmpty(body)) return base
  return call(connectionId, api.update, inputOf(resource, key, api.update.body.parse(body)), { base, titles })
}

const isEmpty = (body: unknown) => typeof body === 'object' && body !== null && Object.keys(body).length === 0

/** Throws ApiFailure, `conflict` where somebody changed the record after it was read. Not found counts as deleted. */
export function deleteRecord<T extends RecordBase>(
  resource: CrudResource<T>,
  connectionId: string,
  record: T,
  key: RecordKey = [record.id],
): Promise<void> {
  const deleting = guardedWrite({
    base: record,
    record: resource.api.update.result,
    unchanged: (now) => resource.unchanged(now, record),
    write: (base) => call(connectionId, resource.api.delete, inputOf(resource, key), { base }),
  })
  return ignoreNotFound(deleting)
}

/** After a deletion: forgets the records, also those in lists, and reads the lists again. */
export async function evictRecords<T extends RecordBase>(
  resource: Resource<T>,
  connectionId: string,
  keys: readonly RecordKey[],
): Promise<void> {
  const { get, list } = resource.api
  removeFromLists(
    connectionId,
    list,
    keys.flatMap((key) => key.at(-1) ?? []),
  )
  if (get) for (const key of keys) queryClient.removeQueries(q(connectionId, get, inputOf(resource, key)))
  await invalidate(connectionId, resource.name)
}

/** The key of a record in pending changes and in the change log. */
export const changeKey = ({ noun }: Pick<Resource<never>, 'noun'>, connectionId: string, id: string): string =>
  `${connectionId}/${noun}/${id}`

/** The reads of a list page: the list, and what its columns need. */
export function listReads<T extends RecordBase>({ api }: Resource<T>, ...more: readonly Endpoint[]): PageReads {
  return pageReads(api.list, ...more)
}

/** The reads of a page of one record: the record, and what else the page needs. */
export function recordReads<T extends RecordBase>(
  { api, findInList }: Resource<T>,
  ...more: readonly Endpoint[]
): PageReads {
  return pageReads(findInList ? api.list : (api.get ?? api.list), ...more)
}
