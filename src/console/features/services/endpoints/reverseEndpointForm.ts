/** The form of a new reverse private endpoint: each type has fields of its own. */
import { z } from 'zod'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import {
  reverseEndpointFields,
  reverseEndpointInput,
  type ReverseEndpoint,
  type ReverseEndpointInput,
  type ReverseEndpointType,
} from '#contract/cloud/services/serviceEndpoints.ts'

export type ReverseEndpointForm = {
  description: string
  type: ReverseEndpointType
  vpcEndpointServiceName: string
  vpcResourceConfigurationId: string
  vpcResourceShareArn: string
  mskClusterArn: string
  mskAuthentication: string
  gcpServiceAttachment: string
  dnsNames: string[]
}

export const emptyEndpoint: ReverseEndpointForm = {
  description: '',
  type: 'VPC_ENDPOINT_SERVICE',
  vpcEndpointServiceName: '',
  vpcResourceConfigurationId: '',
  vpcResourceShareArn: '',
  mskClusterArn: '',
  mskAuthentication: 'SASL_IAM',
  gcpServiceAttachment: '',
  dnsNames: [],
}

export const typeLabels: Record<ReverseEndpointType, string> = {
  VPC_ENDPOINT_SERVICE: 'AWS VPC endpoint service',
  VPC_RESOURCE: 'AWS VPC resource',
  MSK_MULTI_VPC: 'Amazon MSK multi-VPC',
  GCP_PSC_SERVICE_ATTACHMENT: 'Google Private Service Connect',
}

/** Unknown types have no other name. */
export const typeLabel = (type: string | null | undefined): string =>
  new Map(Object.entries(typeLabels)).get(type ?? '') ?? type ?? 'Unknown'

type TargetField = (typeof reverseEndpointFields)[ReverseEndpointType][number]

/** The fields of targets: what they are called, and an example. */
export const targetFields: Record<TargetField, { label: string; placeholder: string }> = {
  vpcEndpointServiceName: {
    label: 'Endpoint service name',
    placeholder: 'com.amazonaws.vpce.eu-west-1.vpce-svc-0123456789abcdef0',
  },
  vpcResourceConfigurationId: { label: 'Resource configuration ID', placeholder: 'rcfg-0123456789abcdef0' },
  vpcResourceShareArn: {
    label: 'Resource share ARN',
    placeholder: 'arn:aws:ram:us-east-1:123456789012:resource-share/…',
  },
  mskClusterArn: { label: 'Cluster ARN', placeholder: 'arn:aws:kafka:us-east-1:123456789012:cluster/…' },
  mskAuthentication: { label: 'Authentication', placeholder: '' },
  gcpServiceAttachment: {
    label: 'Service attachment',
    placeholder: 'projects/my-project/regions/us-central1/serviceAttachments/my-service',
  },
}

/** Types with custom DNS names. */
export const hasDnsNames = (type: string | null | undefined): boolean => type !== 'MSK_MULTI_VPC'

/** The body of a new endpoint: only the fields of its type. */
export function endpointBody(form: ReverseEndpointForm): ReverseEndpointInput {
  const { description, type, dnsNames } = form
  const target = Object.fromEntries(reverseEndpointFields[type].map((field) => [field, form[field].trim()]))
  const mappings = hasDnsNames(type) && dnsNames.length > 0 ? { customPrivateDnsMappings: mappingsOf(dnsNames) } : {}
  return { description: description.trim(), type, ...target, ...mappings } as ReverseEndpointInput // checked by `endpointSchema`
}

export const mappingsOf = (names: readonly string[]) => names.map((privateDnsName) => ({ privateDnsName }))

/** The rules of the API, with errors at the fields of the form. */
export const endpointSchema: z.ZodType<ReverseEndpointForm, ReverseEndpointForm> = z
  .custom<ReverseEndpointForm>()
  .superRefine((form, context) => {
    for (const issue of reverseEndpointInput.safeParse(endpointBody(form)).error?.issues ?? []) {
      const message = formatIssue(issue)
      context.addIssue({ code: 'custom', path: [formField(issue.path)], message })
    }
  })

/** The API's field `customPrivateDnsMappings.0.privateDnsName` is in one form field. */
export function formField(path: readonly PropertyKey[]): string {
  const [first = ''] = path
  return first === 'customPrivateDnsMappings' ? 'dnsNames' : String(first)
}

/** The target of an endpoint, in one line. */
export function targetOf(endpoint: ReverseEndpoint): string {
  const { vpcEndpointServiceName, vpcResourceConfigurationId, mskClusterArn, gcpServiceAttachment } = endpoint
  return vpcEndpointServiceName ?? vpcResourceConfigurationId ?? mskClusterArn ?? gcpServiceAttachment ?? ''
}

/** The custom DNS names of an endpoint. */
export const customNames = ({ customPrivateDnsMappings }: ReverseEndpoint): string[] =>
  (customPrivateDnsMappings ?? []).map(({ privateDnsName }) => privateDnsName)

const tones: Record<string, ChipTone> = {
  Ready: 'ok',
  Provisioning: 'accent',
  Deleting: 'accent',
  PendingAcceptance: 'warn',
  Failed: 'bad',
  Rejected: 'bad',
  Expired: 'bad',
}

/** Unknown states are neutral. */
export const statusTone = (status: string | null | undefined): ChipTone => tones[status ?? ''] ?? 'neutral'

/** `PendingAcceptance` -> "Pending acceptance". */
export function statusLabel(status: string | null | undefined): string {
  if (!status) return 'Unknown'
  return status.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** States that end without a command, so the list is polled more often. */
export const isChanging = ({ status }: ReverseEndpoint): boolean =>
  ['Provisioning', 'Deleting', 'PendingAcceptance'].includes(status ?? '')
