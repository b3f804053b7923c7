/**
 * Data connections: the databases that sources and SQL tiles read from, as a deployment knows them:
 * docs/DEPLOYMENTS.md#data-connections-team. The managed variant does not have them.
 */
import { z } from 'zod'
import { pathId, resource } from '../wire/kernel.ts'

/** A data connection as deployments return it: never with its password. */
const dataConnection = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** The URL of the database. Empty if it has none. */
  host: z.string(),
  username: z.string(),
  hyperdxSettingPrefix: z.string().nullish(),
  isPrometheusEndpoint: z.boolean().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type DataConnection = z.infer<typeof dataConnection>

/** Name, host and user name are required, but may be empty. */
const dataConnectionInput = z.object({
  name: z.string(),
  host: z.string(),
  username: z.string(),
  password: z.string().optional(),
  hyperdxSettingPrefix: z
    .string()
    .regex(/^[a-z0-9_]*$/i)
    .nullish(),
  isPrometheusEndpoint: z.boolean().optional(),
})

const dataConnectionId = z.object({ dataConnectionId: pathId })
const common = { scope: 'stack', variants: ['openSource'] } as const
/** The console only lists them. */
const forOthers = { ...common, stackOnly: true } as const

export const dataConnections = resource('dataConnections', {
  list: { ...common, method: 'GET', path: '/connections', list: true, result: z.array(dataConnection) },
  get: {
    ...forOthers,
    method: 'GET',
    path: '/connections/{dataConnectionId}',
    params: dataConnectionId,
    result: dataConnection,
  },
  create: {
    ...forOthers,
    method: 'POST',
    path: '/connections',
    body: dataConnectionInput,
    result: dataConnection,
  },
  update: {
    ...forOthers,
    method: 'PUT',
    path: '/connections/{dataConnectionId}',
    params: dataConnectionId,
    body: dataConnectionInput,
    result: dataConnection,
  },
  delete: {
    ...forOthers,
    method: 'DELETE',
    path: '/connections/{dataConnectionId}',
    params: dataConnectionId,
    result: z.unknown(),
  },
})
