/** Services, the database instances of the cloud control plane: docs/DEPLOYMENTS.md#services. */
import { z } from 'zod'
import { boundShape, replicaScalingBounds } from '../bounds.ts'
import { openEnum, pathId, resource, wireNumber } from '../../wire/kernel.ts'
import { anyName, productName, specifiedName } from './serviceNames.ts'
import { providers, serviceProfiles, serviceRegions } from './serviceRegions.ts'
import { passwordInput, passwordResult, servicesQuery, tagsInput } from './serviceParts.ts'

export const serviceStates = [
  'starting',
  'stopping',
  'terminating',
  'softdeleting',
  'awaking',
  'partially_running',
  'provisioning',
  'running',
  'stopped',
  'terminated',
  'softdeleted',
  'degraded',
  'failed',
  'idle',
] as const

/** The states in which a service can be deleted. */
export const deletableStates: readonly string[] = [
  'provisioning',
  'starting',
  'awaking',
  'idle',
  'stopped',
  'degraded',
  'failed',
]

export const releaseChannels = ['slow', 'default', 'fast'] as const
export const autoscalingModes = ['vertical', 'horizontal'] as const
const endpointProtocols = ['https', 'nativesecure', 'mysql'] as const
export const serviceCommands = ['start', 'stop', 'awake'] as const
export type ServiceCommand = (typeof serviceCommands)[number]

/** The states in which a command has an effect. */
export const commandStates: Record<ServiceCommand, readonly string[]> = {
  start: ['stopped'],
  stop: ['running', 'idle', 'degraded', 'partially_running'],
  awake: ['idle'],
}

/** Describes a command before it is sent. */
export const serviceCommandLabels: Record<ServiceCommand, string> = {
  start: 'Starts the stopped service. Queries and pipes work again once it runs.',
  stop: 'Stops the service: queries and pipes fail until it is started again. Data stays.',
  awake: 'Wakes the idle service. A query would do the same.',
}

/** Tiers without production services, which cannot choose a release channel. */
const basicTiers: readonly string[] = ['development']

/** Why the release channel of a service cannot be chosen, or null if it can. */
export function releaseChannelReason(service: { tier?: string | null | undefined }): string | null {
  return service.tier != null && basicTiers.includes(service.tier)
    ? 'only production services can choose a release channel'
    : null
}

/**
 * The effective scaling, which lags behind the requested one. While a schedule entry is active, it is that of the
 * entry.
 */
const currentScaling = z.looseObject({
  effectiveAutoscalingMode: openEnum(autoscalingModes).nullish(),
  effectiveMinReplicaMemoryGb: wireNumber.nullish(),
  effectiveMaxReplicaMemoryGb: wireNumber.nullish(),
  effectiveMinReplicas: wireNumber.nullish(),
  effectiveMaxReplicas: wireNumber.nullish(),
  effectiveIdleScaling: z.boolean().nullish(),
  effectiveIdleTimeoutMinutes: wireNumber.nullish(),
  activeEntryId: z.string().nullish(),
})

const accessEntry = z.looseObject({ source: z.string(), description: z.string().nullish() })

/** A service in responses. Deployments omit fields that do not apply, or return null: only the ID is always set. */
export const service = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  state: openEnum(serviceStates).nullish(),
  dbVersion: z.string().nullish(),
  provider: z.string().nullish(),
  region: z.string().nullish(),
  tier: z.string().nullish(),
  releaseChannel: openEnum(releaseChannels).nullish(),
  endpoints: z
    .array(
      z.looseObject({
        protocol: openEnum(endpointProtocols),
        host: z.string().optional(),
        port: wireNumber.optional(),
        username: z.string().nullish(),
      }),
    )
    .nullish(),
  minTotalMemoryGb: wireNumber.nullish(),
  maxTotalMemoryGb: wireNumber.nullish(),
  minReplicaMemoryGb: wireNumber.nullish(),
  maxReplicaMemoryGb: wireNumber.nullish(),
  replicaMemoryGb: wireNumber.nullish(),
  autoscalingMode: openEnum(autoscalingModes).nullish(),
  numReplicas: wireNumber.nullish(),
  minReplicas: wireNumber.nullish(),
  maxReplicas: wireNumber.nullish(),
  currentScaling: currentScaling.nullish(),
  idleScaling: z.boolean().nullish(),
  idleTimeoutMinutes: wireNumber.nullish(),
  ipAccessList: z.array(accessEntry).nullish(),
  createdAt: z.string().nullish(),
  encryptionKey: z.string().nullish(),
  encryptionAssumedRoleIdentifier: z.string().nullish(),
  iamRole: z.string().nullish(),
  privateEndpointIds: z.array(z.string()).nullish(),
  availablePrivateEndpointIds: z.array(z.string()).nullish(),
  dataWarehouseId: z.string().nullish(),
  isPrimary: z.boolean().nullish(),
  isReadonly: z.boolean().nullish(),
  byocId: z.string().nullish(),
  tags: z.array(z.looseObject({ key: z.string(), value: z.string().nullish() })).nullish(),
  enableCoreDumps: z.boolean().nullish(),
  hasTransparentDataEncryption: z.boolean().nullish(),
  transparentDataEncryptionKeyId: z.string().nullish(),
  encryptionRoleId: z.string().nullish(),
})
export type Service = z.infer<typeof service>

/**
 * Replaces the requested scaling of a service by the effective one. Fields that the deployment does not report keep the
 * requested values, and so do all fields while a schedule overrides them.
 */
export function effectiveService(service: Service): Service {
  const { currentScaling: now } = service
  if (!now || now.activeEntryId) return service
  const mode = now.effectiveAutoscalingMode ?? service.autoscalingMode
  const fewest = now.effectiveMinReplicas ?? service.minReplicas ?? service.numReplicas
  const most = now.effectiveMaxReplicas ?? service.maxReplicas ?? service.numReplicas
  const horizontal = mode === 'horizontal'
  const least = now.effectiveMinReplicaMemoryGb ?? service.minReplicaMemoryGb
  return {
    ...service,
    autoscalingMode: mode,
    numReplicas: horizontal || fewest !== most ? undefined : fewest,
    minReplicas: horizontal ? fewest : undefined,
    maxReplicas: horizontal ? most : undefined,
    replicaMemoryGb: horizontal ? least : undefined,
    minReplicaMemoryGb: least,
    maxReplicaMemoryGb: now.effectiveMaxReplicaMemoryGb ?? service.maxReplicaMemoryGb,
    idleScaling: now.effectiveIdleScaling ?? service.idleScaling,
    idleTimeoutMinutes: now.effectiveIdleTimeoutMinutes ?? service.idleTimeoutMinutes,
  }
}

/** Maximum number of entries of one list in one change. */
const maxListChanges = 500

const octets = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}'
const ipv4 = new RegExp(`^${octets}(?:/(?:3[0-2]|[12]?\\d))?$`)
const isAddress = (text: string) => ipv4.test(text) || z.union([z.ipv6(), z.cidrv6()]).safeParse(text).success

/** An address or a range in CIDR form. `0.0.0.0/0` is anywhere. */
export const ipSource = z.string().refine(isAddress, 'must be an IP address or a range such as 10.0.0.0/8')

const listChange = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    add: z.array(item).max(maxListChanges).optional(),
    remove: z.array(item).max(maxListChanges).optional(),
  })
const accessChange = z.strictObject({ source: ipSource, description: z.string().max(256).optional() })
/** An entry is removed by its source only. Its other fields are not checked, because it may be older than the rules. */
const accessRemoval = z.strictObject({ source: z.string().min(1), description: z.string().optional() })

const endpointSwitches = z.array(z.strictObject({ protocol: z.enum(['mysql']), enabled: z.boolean() })).max(10)

/** Every field can be omitted. In lists, `remove` is applied before `add`. */
export const serviceUpdate = z.strictObject({
  name: anyName.optional(),
  ipAccessList: z
    .strictObject({
      add: z.array(accessChange).max(maxListChanges).optional(),
      remove: z.array(accessRemoval).max(maxListChanges).optional(),
    })
    .optional(),
  privateEndpointIds: listChange(z.string().min(1).max(256)).optional(),
  releaseChannel: z.enum(releaseChannels).optional(),
  endpoints: endpointSwitches.optional(),
  transparentDataEncryptionKeyId: z.string().min(1).max(512).optional(),
  tags: tagsInput.optional(),
  enableCoreDumps: z.boolean().optional(),
})
const serviceUpdateStrict = serviceUpdate.extend({ name: specifiedName.optional() })
const serviceUpdateProduct = serviceUpdate.extend({ name: productName.optional() })
export type ServiceUpdate = z.infer<typeof serviceUpdate>

const serviceStateInput = z.strictObject({ command: z.enum(serviceCommands) })

interface ReplicaValues {
  autoscalingMode?: string | undefined
  numReplicas?: number | undefined
  minReplicas?: number | undefined
  maxReplicas?: number | undefined
  minReplicaMemoryGb?: number | undefined
  maxReplicaMemoryGb?: number | undefined
  idleScaling?: boolean | undefined
  idleTimeoutMinutes?: number | undefined
}

/** The rules between the fields of a size. */
function checkReplicas(input: ReplicaValues, context: z.core.$RefinementCtx): void {
  const refuse = (path: keyof ReplicaValues, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, input: input[path] })
  const { minReplicas, maxReplicas, numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb } = input
  if ((minReplicas === undefined) !== (maxReplicas === undefined)) {
    refuse(
      minReplicas === undefined ? 'minReplicas' : 'maxReplicas',
      'minReplicas and maxReplicas are required together',
    )
  }
  if (minReplicas !== undefined && maxReplicas !== undefined && minReplicas > maxReplicas) {
    refuse('minReplicas', 'minReplicas must not be greater than maxReplicas')
  }
  if (numReplicas !== undefined && (minReplicas !== undefined || maxReplicas !== undefined)) {
    refuse('numReplicas', 'numReplicas excludes minReplicas and maxReplicas')
  }
  if (minReplicaMemoryGb !== undefined && maxReplicaMemoryGb !== undefined && minReplicaMemoryGb > maxReplicaMemoryGb) {
    refuse('minReplicaMemoryGb', 'minReplicaMemoryGb must not be greater than maxReplicaMemoryGb')
  }
  if (input.idleScaling === false && input.idleTimeoutMinutes !== undefined) {
    refuse('idleTimeoutMinutes', 'idleTimeoutMinutes has no use where idleScaling is false')
  }
  if (input.autoscalingMode === 'horizontal' && numReplicas !== undefined) {
    refuse('numReplicas', 'horizontal scaling takes minReplicas and maxReplicas')
  }
}

/** Memory and replicas of a service: docs/DEPLOYMENTS.md#services. */
export const replicaScalingInput = z
  .strictObject({
    ...boundShape(replicaScalingBounds),
    autoscalingMode: z.enum(autoscalingModes).optional(),
    idleScaling: z.boolean().optional(),
  })
  .superRefine((input, context) => {
    if (Object.values(input).every((value) => value === undefined)) {
      context.addIssue({ code: 'custom', message: 'at least one field is required', input })
    }
    checkReplicas(input, context)
  })
export type ReplicaScalingInput = z.infer<typeof replicaScalingInput>

const text = z.string().min(1).max(512)

/** A new service: docs/DEPLOYMENTS.md#parts-of-a-service, with the bounds of #services. */
const newService = z.strictObject({
  name: anyName,
  provider: z.enum(providers),
  region: z.string().min(1),
  ipAccessList: z.array(accessChange).max(maxListChanges),
  ...boundShape(replicaScalingBounds),
  autoscalingMode: z.enum(autoscalingModes).optional(),
  idleScaling: z.boolean().optional(),
  tier: text.optional(),
  dataWarehouseId: text.optional(),
  isReadonly: z.boolean().optional(),
  /** The new service holds the rows of this backup. */
  backupId: z.guid().optional(),
  releaseChannel: z.enum(releaseChannels).optional(),
  tags: tagsInput.shape.add,
  endpoints: endpointSwitches.optional(),
  encryptionKey: text.optional(),
  encryptionAssumedRoleIdentifier: text.optional(),
  hasTransparentDataEncryption: z.boolean().optional(),
  byocId: text.optional(),
  profile: z.enum(serviceProfiles).optional(),
  complianceType: z.enum(['hipaa', 'pci']).optional(),
  enableCoreDumps: z.boolean().optional(),
})

/** The rules between the fields of a new service. */
function newServiceRules(input: z.output<typeof newService>, context: z.core.$RefinementCtx): void {
  const refuse = (field: keyof typeof input, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message, input: input[field] })
  const regions: readonly string[] = serviceRegions[input.provider]
  if (!regions.includes(input.region)) refuse('region', `must be a region of ${input.provider}`)
  if (input.isReadonly && !input.dataWarehouseId) refuse('isReadonly', 'needs dataWarehouseId')
  if (input.backupId && input.dataWarehouseId) refuse('backupId', 'a service that shares a warehouse has its data')
  if (input.minReplicas !== undefined && input.minReplicas === input.maxReplicas) {
    if (input.autoscalingMode === 'horizontal') refuse('maxReplicas', 'must be greater than minReplicas')
  } else if (input.minReplicas !== undefined && input.autoscalingMode === 'vertical') {
    refuse('maxReplicas', 'must equal minReplicas in vertical scaling')
  }
  checkReplicas(input, context)
}

export const serviceCreate = newService.superRefine(newServiceRules)
const serviceCreateStrict = newService.extend({ name: specifiedName }).superRefine(newServiceRules)
const serviceCreateProduct = newService.extend({ name: productName }).superRefine(newServiceRules)
export type ServiceCreate = z.infer<typeof serviceCreate>

/** Fields that change without a save. The scaling values can be edited, but their effective values follow later. */
const record = {
  volatile: [
    'state',
    'scalingSchedule',
    'dbVersion',
    'currentScaling',
    'effectiveMinReplicaMemoryGb',
    'effectiveMaxReplicaMemoryGb',
    'effectiveMinReplicas',
    'effectiveMaxReplicas',
    'availablePrivateEndpointIds',
  ],
} as const

const serviceId = z.object({ serviceId: pathId })
const ofService = { scope: 'organization', variants: ['managed'], params: serviceId } as const
const path = '/services/{serviceId}'

export const services = resource('services', {
  list: {
    method: 'GET',
    scope: 'organization',
    path: '/services',
    variants: ['managed'],
    query: servicesQuery,
    record,
    list: true,
    result: z.array(service),
  },
  get: { ...ofService, method: 'GET', path, record, result: service },
  update: {
    ...ofService,
    method: 'PATCH',
    path,
    body: serviceUpdate,
    strictBody: serviceUpdateStrict,
    productBody: serviceUpdateProduct,
    stored: { unreturned: ['endpoints', 'remove'] },
    result: service,
  },
  state: { ...ofService, method: 'PATCH', path: `${path}/state`, body: serviceStateInput, result: service },
  replicaScaling: {
    ...ofService,
    method: 'PATCH',
    path: `${path}/replicaScaling`,
    body: replicaScalingInput,
    stored: { unreturned: [], settling: true },
    result: service,
  },
  create: {
    method: 'POST',
    scope: 'organization',
    path: '/services',
    variants: ['managed'],
    unspecified: true,
    body: serviceCreate,
    strictBody: serviceCreateStrict,
    productBody: serviceCreateProduct,
    reveals: true,
    stored: { at: 'service', unreturned: ['backupId', 'endpoints'] },
    result: z.looseObject({ service, password: z.string().nullish() }),
  },
  delete: { ...ofService, method: 'DELETE', path, unspecified: true, result: z.unknown() },
  password: {
    ...ofService,
    unspecified: true,
    method: 'PATCH',
    path: `${path}/password`,
    body: passwordInput,
    reveals: true,
    result: passwordResult,
  },
})
