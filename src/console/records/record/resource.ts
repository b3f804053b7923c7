/** The description of a resource, from which the pages of this folder are made. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { ParamName } from '#console/paths/pages.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'

export interface RecordBase {
  id: string
  createdAt?: string | null | undefined
  updatedAt?: string | null | undefined
}

/** The values of the `idParams` of one record. */
export type RecordKey = readonly string[]

type RecordEndpoint<T> = Endpoint & { result: z.ZodType<T> }

/** The endpoints that every resource has. Without `get`, a record is found in the list. */
interface RecordApi<T> {
  list: RecordEndpoint<T[]>
  get?: RecordEndpoint<T>
  update: RecordEndpoint<T>
}

interface CrudApi<T> extends RecordApi<T> {
  create: RecordEndpoint<T>
  delete: Endpoint
}

/** The URLs of the pages. */
interface RecordPaths {
  list: (connectionId: string) => string
  detail: (connectionId: string, ...key: RecordKey) => string
  edit: (connectionId: string, ...key: RecordKey) => string
}

interface CrudPaths extends RecordPaths {
  new: (connectionId: string) => string
}

/** The uses of a record. */
export interface Uses {
  count: number
  /** "2 dashboards, 1 alert"; empty if nothing uses it. */
  summary: string
  /** The API refuses to delete the record. */
  blocking: boolean
  /** Links to what uses it; inside a question they open in a new tab. */
  links: (newTab: boolean) => ReactNode
}

interface UsesOf {
  /** Reads what uses a record, past the cache where it must be `fresh`. Undefined if that could not be read. */
  read: (connectionId: string, id: string, fresh: boolean) => Promise<Uses | undefined>
  /** Why the API refuses to delete a record, and what to do. */
  blocked?: string
  /** The effect of a deletion on the uses of the record. */
  left: string
  /** Deleting a record in use takes more than a click: its name is typed, many at once are left out unless checked. */
  confirmUsed?: boolean
  /** Read again after many were deleted, because they decide what could be deleted. */
  decidedBy?: ResourceName
}

interface Deletion<T> {
  /** Asked on production only, because Undo restores the record well enough. */
  asksOnProductionOnly?: boolean
  /** The effect of a deletion, for one or many: "Evaluation stops at once." */
  effect?: string
  /** Data that Undo does not restore, for one or many: "History is not restored." */
  notRestored?: (records: readonly T[]) => string
  /** Why Undo cannot recreate a record: "its URL cannot be read". Undefined if it can. */
  irreversible?: (record: T) => string | undefined
  /** The body that recreates it. Without one there is no Undo, and the name is typed before a deletion. */
  body?: (record: T) => unknown
}

/** Data of a resource's pages besides its description, from hooks of the feature. */
export interface RecordContext<T> {
  /** Why records cannot be changed here. Default: whether the connection is read-only. */
  locked?: string | undefined
  /** The uses of each record; undefined until that is known. */
  usesOf?: ((id: string) => Uses) | undefined
  /** The name of a record where other reads supply a better one. Default: that of the description. */
  nameOf?: (record: T) => string
}

/** How the records of a resource change without an edit. */
interface LiveRecords<T> {
  /** Milliseconds until the next read of a record; undefined before the first. */
  pollInterval: (record: T | undefined) => number
  /** The values that a record reports, to compare with those of a pending change. */
  reported: (record: T) => Readonly<Record<string, unknown>>
}

interface Definition<T, Api> {
  api: Api
  /** The name of one record inside a sentence, where it is not that of its kind (`shell/recordKinds.tsx`): "pipe". */
  noun?: string
  /** The name in titles, where it is longer: "data pipe". */
  longNoun?: string
  /** The parameters of the URL, and of the endpoints of one record. The record's own ID is the last. */
  idParams: readonly ParamName[]
  paths: RecordPaths
  /** Records change by themselves, so their pages poll them, and they have a change log. */
  live?: LiveRecords<T>
  /** Records are found in the list although the API can read one: not every deployment can. */
  findInList?: boolean
  nameOf: (record: T) => string
  /** Whether a record still is what it was read as, where its form does not tell. What only the deployment sets does not count. */
  unchanged?: (now: T, before: T) => boolean
  /** Requests may hold secrets: a record is not shown as the command that would write it. */
  secretBody?: boolean
  uses?: UsesOf
}

interface CrudDefinition<T, Api> extends Definition<T, Api> {
  paths: CrudPaths
  unchanged: (now: T, before: T) => boolean
  deletion: Deletion<T>
}

/** A resource as the pages use it: its description, complete. Its records can be read and edited. */
export interface Resource<T extends RecordBase> extends Definition<T, RecordApi<T>> {
  name: ResourceName
  noun: string
  longNoun: string
  icon: LucideIcon
  findInList: boolean
}

/** A resource whose records can also be created and deleted. */
export interface CrudResource<T extends RecordBase> extends CrudDefinition<T, CrudApi<T>> {
  name: ResourceName
  noun: string
  longNoun: string
  icon: LucideIcon
  findInList: boolean
}

/** The resource, if its records can be created and deleted. */
export function asCrud<T extends RecordBase>(resource: Resource<T> | CrudResource<T>): CrudResource<T> | undefined {
  return 'deletion' in resource ? resource : undefined
}

/** The part of an endpoint that has its record. */
interface EndpointOf<T> {
  params: z.ZodType
  result: z.ZodType<T>
}

/** The parameters of `defineResource`: the endpoints of the contract, whatever their bodies are. */
interface ContractApi {
  list: EndpointOf<RecordBase[]> & { resource: string }
  get?: EndpointOf<RecordBase>
  update: EndpointOf<RecordBase>
}

interface ContractCrudApi extends ContractApi {
  create: EndpointOf<RecordBase>
  delete: EndpointOf<unknown>
}

/** The result of a resource's update: a record of it. */
type RecordOf<Api> = Api extends { update: { result: z.ZodType<infer T extends RecordBase> } } ? T : never

/** The parameters of the URLs of a resource must be those of its endpoints. */
type ParamsOf<Api extends ContractApi> = { idParams: readonly (keyof z.input<Api['update']['params']>)[] }

/** Describes a resource. With `deletion`, its records can be created and deleted. */
export function defineResource<Api extends ContractCrudApi>(
  definition: CrudDefinition<RecordOf<Api>, Api> & ParamsOf<Api>,
): CrudResource<RecordOf<Api>>
export function defineResource<Api extends ContractApi>(
  definition: Definition<RecordOf<Api>, Api> & ParamsOf<Api>,
): Resource<RecordOf<Api>>
export function defineResource<Api extends ContractApi>(
  definition: Definition<RecordOf<Api>, Api>,
): Resource<RecordOf<Api>> {
  const { api } = definition
  const label = kindLabel(api.list.resource)
  const { noun = label.one } = definition
  return {
    noun,
    longNoun: noun,
    icon: label.icon,
    findInList: api.get === undefined,
    ...definition,
    // All endpoints of one resource return the record that its update returns.
    api: api as unknown as RecordApi<RecordOf<Api>>,
    // The contract gives every endpoint the name of its resource.
    name: api.list.resource as ResourceName,
  }
}
