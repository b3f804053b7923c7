/** How a service is reached beside its own endpoints: docs/DEPLOYMENTS.md#parts-of-a-service. */
import { z } from 'zod'
import { openEnum, pathId, resource } from '../../wire/kernel.ts'

/** The target of a private endpoint. */
const privateEndpointConfig = z.looseObject({
  endpointServiceId: z.string(),
  privateDnsHostname: z.string(),
})

/**
 * The address of the query endpoints of the services of a control plane: those of the vendor's cloud have a host of their own beside
 * it, and others are at the same address. No other host is derived: a key is sent only to addresses that somebody entered.
 */
export const queryAddress = (baseUrl: string): string =>
  baseUrl.replace(/^https:\/\/api\.(?=(?:[\w-]+\.)*clickhouse\.cloud(?:[:/]|$))/i, 'https://queries.')

/** The database roles that queries through the query endpoint have. */
export const queryRoles = ['sql_console_read_only', 'sql_console_admin'] as const

const queryEndpoint = z.looseObject({
  id: z.string().nullish(),
  roles: z.array(openEnum(queryRoles)).nullish(),
  openApiKeys: z.array(z.string()).nullish(),
  allowedOrigins: z.string().nullish(),
})
export type QueryEndpoint = z.infer<typeof queryEndpoint>

const origin = /^https?:\/\/[^\s,/]+$|^\*$/

/** Replaces everything: keys that are left out are no longer bound. Fields of newer deployments pass. */
const queryEndpointInput = z.looseObject({
  roles: z.array(openEnum(queryRoles)).min(1).max(20),
  openApiKeys: z.array(z.guid()).max(100),
  allowedOrigins: z
    .string()
    .max(4096)
    .refine(
      (list) => list.trim() === '' || list.split(',').every((entry) => origin.test(entry.trim())),
      'must be origins such as https://app.example.com, separated by commas',
    )
    .optional(),
})

export const reverseEndpointTypes = [
  'VPC_ENDPOINT_SERVICE',
  'VPC_RESOURCE',
  'MSK_MULTI_VPC',
  'GCP_PSC_SERVICE_ATTACHMENT',
] as const
export type ReverseEndpointType = (typeof reverseEndpointTypes)[number]

/** The fields of each type; all of them are required, and those of the other types are refused. */
export const reverseEndpointFields = {
  VPC_ENDPOINT_SERVICE: ['vpcEndpointServiceName'],
  VPC_RESOURCE: ['vpcResourceConfigurationId', 'vpcResourceShareArn'],
  MSK_MULTI_VPC: ['mskClusterArn', 'mskAuthentication'],
  GCP_PSC_SERVICE_ATTACHMENT: ['gcpServiceAttachment'],
} as const satisfies Record<ReverseEndpointType, readonly string[]>

export const mskAuthentications = ['SASL_IAM', 'SASL_SCRAM'] as const

const reverseEndpointStates = [
  'Unknown',
  'Provisioning',
  'Deleting',
  'Ready',
  'Failed',
  'PendingAcceptance',
  'Rejected',
  'Expired',
] as const

const dnsName = z
  .string()
  .max(253)
  .regex(
    /^(?:\*\.)?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,62}$/i,
    'must be a name such as *.db.example.com',
  )
const mappings = z
  .array(z.strictObject({ privateDnsName: dnsName }))
  .max(50)
  .refine(
    (list) => new Set(list.map(({ privateDnsName }) => privateDnsName.toLowerCase())).size === list.length,
    'must not repeat a name',
  )
const name = z.string().min(1).max(512)

export const reverseEndpointInput = z
  .strictObject({
    description: z.string().max(255),
    type: z.enum(reverseEndpointTypes),
    vpcEndpointServiceName: name.optional(),
    vpcResourceConfigurationId: name.optional(),
    vpcResourceShareArn: name.regex(/^arn:/, 'must be an ARN').optional(),
    mskClusterArn: name.regex(/^arn:/, 'must be an ARN').optional(),
    mskAuthentication: z.enum(mskAuthentications).optional(),
    gcpServiceAttachment: name
      .regex(/^projects\/[^/]+\/regions\/[^/]+\/serviceAttachments\/[^/]+$/, 'must be projects/…/serviceAttachments/…')
      .optional(),
    customPrivateDnsMappings: mappings.optional(),
  })
  .superRefine((input, context) => {
    for (const type of reverseEndpointTypes) {
      for (const field of reverseEndpointFields[type]) {
        const isSent = input[field] !== undefined
        if (isSent === (type === input.type)) continue
        const message = isSent ? `is not a field of ${input.type}` : `is required for ${input.type}`
        context.addIssue({ code: 'custom', path: [field], message, input: input[field] })
      }
    }
    if (input.type === 'MSK_MULTI_VPC' && input.customPrivateDnsMappings?.length) {
      const message = 'MSK_MULTI_VPC has no mappings'
      context.addIssue({ code: 'custom', path: ['customPrivateDnsMappings'], message, input: 'array' })
    }
  })
export type ReverseEndpointInput = z.infer<typeof reverseEndpointInput>

/** Only the mappings can be changed: the list is the full one. */
export const reverseEndpointUpdate = z.strictObject({ customPrivateDnsMappings: mappings })

const reverseEndpoint = z.looseObject({
  id: z.string(),
  serviceId: z.string().nullish(),
  description: z.string().nullish(),
  type: openEnum(reverseEndpointTypes).nullish(),
  vpcEndpointServiceName: z.string().nullish(),
  vpcResourceConfigurationId: z.string().nullish(),
  vpcResourceShareArn: z.string().nullish(),
  mskClusterArn: z.string().nullish(),
  mskAuthentication: z.string().nullish(),
  gcpServiceAttachment: z.string().nullish(),
  customPrivateDnsMappings: z.array(z.looseObject({ privateDnsName: z.string() })).nullish(),
  endpointId: z.string().nullish(),
  dnsNames: z.array(z.string()).nullish(),
  privateDnsNames: z.array(z.string()).nullish(),
  status: openEnum(reverseEndpointStates).nullish(),
})
export type ReverseEndpoint = z.infer<typeof reverseEndpoint>

const params = z.object({ serviceId: pathId })
const ofService = { scope: 'organization', variants: ['managed'], params, unspecified: true } as const
const queryPath = '/services/{serviceId}/serviceQueryEndpoint'
const reversePath = '/services/{serviceId}/datapipesReversePrivateEndpoints'
const ofEndpoint = {
  ...ofService,
  path: `${reversePath}/{reverseEndpointId}`,
  params: z.object({ serviceId: pathId, reverseEndpointId: pathId }),
} as const

export const serviceEndpoints = resource('serviceEndpoints', {
  privateConfig: {
    ...ofService,
    method: 'GET',
    path: '/services/{serviceId}/privateEndpointConfig',
    result: privateEndpointConfig,
  },
  /** 404 where it is off. */
  query: { ...ofService, method: 'GET', path: queryPath, record: { volatile: [] }, result: queryEndpoint },
  setQuery: {
    ...ofService,
    method: 'POST',
    path: queryPath,
    replaces: true,
    body: queryEndpointInput,
    strictBody: z.strictObject({
      ...queryEndpointInput.shape,
      roles: z.array(z.enum(queryRoles)).min(1).max(queryRoles.length),
    }),
    stored: { unreturned: [] },
    result: queryEndpoint,
  },
  deleteQuery: { ...ofService, method: 'DELETE', path: queryPath, result: z.unknown() },
})

export const reversePrivateEndpoints = resource('reversePrivateEndpoints', {
  list: { ...ofService, method: 'GET', path: reversePath, list: true, result: z.array(reverseEndpoint) },
  create: {
    ...ofService,
    method: 'POST',
    path: reversePath,
    body: reverseEndpointInput,
    stored: { unreturned: [] },
    result: reverseEndpoint,
  },
  get: {
    ...ofEndpoint,
    method: 'GET',
    record: { volatile: ['status', 'dnsNames', 'privateDnsNames'] },
    result: reverseEndpoint,
  },
  update: {
    ...ofEndpoint,
    method: 'PATCH',
    body: reverseEndpointUpdate,
    stored: { unreturned: [] },
    result: reverseEndpoint,
  },
  delete: { ...ofEndpoint, method: 'DELETE', result: z.unknown() },
})
