/** Data pipes: docs/DEPLOYMENTS.md#pipes. */
import { z } from 'zod'
import { openEnum, pathId, resource } from '../../wire/kernel.ts'
import { badRecord, consumerGroup, offsetsInput, offsetsPlan, resendRequest, streamShards } from './pipeConsumers.ts'
import { discovery, discoveryInput, discoveryInputStrict } from './pipeDiscovery.ts'
import { pipeCreateStrict, pipeUpdateStrict } from './pipeInputs.ts'
import { cdcScaling, cdcScalingInput, pipeScaling, pipeScalingInput } from './pipeScaling.ts'
import { pipeSettings, pipeSettingsInput, pipeSettingsStrict } from './pipeSettings.ts'
import { pipeSource } from './pipeSources.ts'

export const pipeStates = [
  'Unknown',
  'Provisioning',
  'Running',
  'Degraded',
  'Stopping',
  'Stopped',
  'Failed',
  'Completed',
  'InternalError',
  'Setup',
  'Snapshot',
  'Paused',
  'Pausing',
  'Modifying',
  'Resync',
] as const

const pipeCommands = ['start', 'stop', 'resync'] as const
export type PipeCommand = (typeof pipeCommands)[number]

const columns = z.array(z.looseObject({ name: z.string(), type: z.string().optional() }))

export const pipe = z.looseObject({
  id: z.string(),
  serviceId: z.string().nullish(),
  name: z.string().nullish(),
  state: openEnum(pipeStates).nullish(),
  /** Details of the state: how a pipe runs, what it waits for, why it failed. An extension of the stack. */
  stateDetail: z.string().nullish(),
  /** The requested scaling. */
  scaling: pipeScaling.nullish(),
  /** The effective scaling, if the deployment reports it. It lags behind `scaling`. */
  currentScaling: pipeScaling.nullish(),
  source: pipeSource.nullish(),
  destination: z
    .looseObject({
      database: z.string().nullish(),
      table: z.string().nullish(),
      managedTable: z.boolean().nullish(),
      tableDefinition: z
        .looseObject({
          engine: z
            .looseObject({
              type: z.string().nullish(),
              versionColumnId: z.string().nullish(),
              columnIds: z.array(z.string()).nullish(),
            })
            .nullish(),
          sortingKey: z.array(z.string()).nullish(),
          partitionBy: z.string().nullish(),
          primaryKey: z.string().nullish(),
          ttl: z.string().nullish(),
        })
        .nullish(),
      columns: columns.nullish(),
    })
    .nullish(),
  fieldMappings: z
    .array(z.looseObject({ sourceField: z.string().optional(), destinationField: z.string().optional() }))
    .nullish(),
  settings: pipeSettings.nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
})
export type Pipe = z.infer<typeof pipe>

/** The effective scaling. A deployment that does not report it separately returns it as `scaling`, sooner or later. */
export function effectiveScaling({
  scaling,
  currentScaling,
}: Pick<Pipe, 'scaling' | 'currentScaling'>): Pipe['scaling'] {
  return currentScaling ? { ...scaling, ...currentScaling } : scaling
}

/** The input of clients for a new pipe. The deployment checks unknown fields. */
const pipeCreate = z.looseObject({
  name: z.string().min(1).max(255),
  source: z.looseObject({}),
  destination: z.looseObject({ database: z.string().optional() }),
})

/** The input of clients for an update. The deployment checks unknown fields. */
const pipeUpdate = z.looseObject({
  name: pipeCreate.shape.name.optional(),
  source: pipeCreate.shape.source.optional(),
})

const serviceParams = z.object({ serviceId: pathId })
const pipeParams = z.object({ serviceId: pathId, dataPipeId: pathId })
const pipesPath = '/services/{serviceId}/datapipes'
const pipePath = `${pipesPath}/{dataPipeId}` as const
const cdcPath = '/services/{serviceId}/datapipesCdcScaling'
const variants = ['managed'] as const
/** The state detail of a simulated pipe. Only the stack has such pipes. */
export const simulatedDetail =
  'simulated: no broker is read. Rates, lag and usage follow a model that depends on the size'

/** `updatedAt` is part of the revision: a changed secret shows only there. */
const record = { volatile: ['state', 'stateDetail', 'currentScaling', 'metrics'] } as const
const allFields = { volatile: [] } as const

/** Fields that only the stack has. */
const ofStack = { scope: 'organization', variants, unspecified: true, feature: 'streams' } as const

const stored = {
  unreturned: [
    'accessKey',
    'connectionString',
    'credentials',
    'password',
    'protobufSchema',
    'roles',
    'startPaused',
    'tableMappingsToAdd',
    'tableMappingsToRemove',
    'validateSamples',
  ],
}

export const pipes = resource('pipes', {
  list: {
    method: 'GET',
    scope: 'organization',
    path: pipesPath,
    variants,
    params: serviceParams,
    record,
    list: true,
    result: z.array(pipe),
  },
  get: { method: 'GET', scope: 'organization', path: pipePath, variants, params: pipeParams, record, result: pipe },
  create: {
    method: 'POST',
    scope: 'organization',
    path: pipesPath,
    variants,
    params: serviceParams,
    body: pipeCreate,
    strictBody: pipeCreateStrict,
    stored: stored,
    result: pipe,
  },
  update: {
    method: 'PATCH',
    scope: 'organization',
    path: pipePath,
    variants,
    params: pipeParams,
    body: pipeUpdate,
    strictBody: pipeUpdateStrict,
    stored: stored,
    result: pipe,
  },
  delete: {
    method: 'DELETE',
    scope: 'organization',
    path: pipePath,
    variants,
    params: pipeParams,
    result: z.unknown(),
  },
  scaling: {
    method: 'PATCH',
    scope: 'organization',
    path: `${pipePath}/scaling`,
    variants,
    params: pipeParams,
    body: pipeScalingInput,
    stored: { at: 'scaling', unreturned: [], settling: true },
    result: pipe,
  },
  state: {
    method: 'PATCH',
    scope: 'organization',
    path: `${pipePath}/state`,
    variants,
    params: pipeParams,
    body: z.strictObject({ command: z.enum(pipeCommands) }),
    result: pipe,
  },
  /** Reads a sample of a source. It changes nothing, but it connects to the source. */
  discover: {
    method: 'POST',
    scope: 'organization',
    path: `${pipesPath}/schemaDiscovery`,
    variants,
    unspecified: true,
    feature: 'discovery',
    params: serviceParams,
    body: discoveryInput,
    strictBody: discoveryInputStrict,
    result: discovery,
  },
  settings: {
    method: 'GET',
    scope: 'organization',
    path: `${pipePath}/settings`,
    variants,
    params: pipeParams,
    record: allFields,
    result: pipeSettings,
  },
  updateSettings: {
    method: 'PUT',
    scope: 'organization',
    path: `${pipePath}/settings`,
    variants,
    params: pipeParams,
    body: pipeSettingsInput,
    strictBody: pipeSettingsStrict.refine(
      (settings) => Object.keys(settings).length > 0,
      'at least one setting is required',
    ),
    stored: { unreturned: [] },
    result: pipeSettings,
  },
  consumerGroup: {
    ...ofStack,
    method: 'GET',
    path: `${pipePath}/consumerGroup`,
    params: pipeParams,
    result: consumerGroup,
  },
  shards: {
    ...ofStack,
    method: 'GET',
    path: `${pipePath}/shards`,
    params: pipeParams,
    result: streamShards,
  },
  badRecords: {
    ...ofStack,
    method: 'GET',
    path: `${pipePath}/badRecords`,
    params: pipeParams,
    list: true,
    result: z.array(badRecord),
  },
  resendBadRecords: {
    ...ofStack,
    method: 'POST',
    path: `${pipePath}/badRecords/resend`,
    params: pipeParams,
    body: z.object({}).optional(),
    result: resendRequest,
  },
  previewOffsets: {
    ...ofStack,
    method: 'POST',
    path: `${pipePath}/offsets/preview`,
    params: pipeParams,
    mutates: false,
    body: offsetsInput,
    result: offsetsPlan,
  },
  resetOffsets: {
    ...ofStack,
    method: 'PATCH',
    path: `${pipePath}/offsets`,
    params: pipeParams,
    body: offsetsInput,
    result: offsetsPlan,
  },
  cdcScaling: {
    method: 'GET',
    scope: 'organization',
    path: cdcPath,
    variants,
    params: serviceParams,
    record: allFields,
    result: cdcScaling,
  },
  updateCdcScaling: {
    method: 'PATCH',
    scope: 'organization',
    path: cdcPath,
    variants,
    params: serviceParams,
    body: cdcScalingInput,
    stored: { unreturned: [], settling: true },
    result: cdcScaling,
  },
})
