/** The form of a new service. */
import { z } from 'zod'
import type { NewForm } from '#console/records/record/recordForm.ts'
import { sizeTitles } from '#console/records/scaling/sizeFields.ts'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import type { ServiceBackup } from '#contract/cloud/services/serviceBackups.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { serviceNameRule } from '#contract/cloud/services/serviceNames.ts'
import { serviceCreate, type Service } from '#contract/cloud/services/services.ts'

export type NewServiceForm = {
  name: string
  provider: string
  region: string
  access: string
  numReplicas: number | null
  minReplicaMemoryGb: number | null
  maxReplicaMemoryGb: number | null
  idleScaling: boolean
  idleTimeoutMinutes: number | null
  releaseChannel: string
  /** Empty for a service without rows. */
  backupId: string
}

export const newServiceTitles = {
  name: 'Name',
  provider: 'Provider',
  region: 'Region',
  access: 'IP access list',
  numReplicas: sizeTitles.numReplicas,
  minReplicaMemoryGb: sizeTitles.minReplicaMemoryGb,
  maxReplicaMemoryGb: sizeTitles.maxReplicaMemoryGb,
  idleScaling: 'Idle without queries',
  idleTimeoutMinutes: 'Idle after',
  releaseChannel: 'Release channel',
}

export const emptyService: NewServiceForm = {
  name: '',
  provider: 'aws',
  region: 'eu-central-1',
  access: '',
  numReplicas: 3,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 120,
  idleScaling: true,
  idleTimeoutMinutes: 15,
  releaseChannel: 'default',
  backupId: '',
}

/** The form of a service that is created from a backup: the place and the size are those of its service. */
export function restoredService(service: Service, backupId: ServiceBackup['id']): NewServiceForm {
  return {
    ...emptyService,
    name: `${service.name ?? 'Service'} restored`.replaceAll(/[^A-Za-z0-9\s]/g, ' ').slice(-50),
    provider: service.provider ?? emptyService.provider,
    region: service.region ?? emptyService.region,
    access: (service.ipAccessList ?? []).map(({ source }) => source).join('\n'),
    minReplicaMemoryGb: service.minReplicaMemoryGb ?? emptyService.minReplicaMemoryGb,
    maxReplicaMemoryGb: service.maxReplicaMemoryGb ?? emptyService.maxReplicaMemoryGb,
    backupId,
  }
}

/** The body that creates the service. Numbers that are left out have the defaults of the deployment. */
function newServiceBody(form: NewServiceForm): Record<string, unknown> {
  const sources = form.access.split(/[\s,]+/).filter(Boolean)
  const { numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb, idleTimeoutMinutes } = form
  const numbers = { numReplicas, minReplicaMemoryGb, maxReplicaMemoryGb }
  return {
    name: form.name.trim(),
    provider: form.provider,
    region: form.region,
    ipAccessList: sources.map((source) => ({ source })),
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== null)),
    idleScaling: form.idleScaling,
    ...(form.idleScaling && idleTimeoutMinutes !== null && { idleTimeoutMinutes }),
    releaseChannel: form.releaseChannel,
    ...(form.backupId && { backupId: form.backupId }),
  }
}

const fieldOf = (path: PropertyKey | undefined) => (path === 'ipAccessList' ? 'access' : String(path ?? 'name'))

export const newServiceForm: NewForm<NewServiceForm> = {
  titles: newServiceTitles,
  schema: (_, { naming }) =>
    z.custom<NewServiceForm>().superRefine((form, context) => {
      const body = newServiceBody(form)
      const name = serviceNameRule(namingProfiles[naming]).safeParse(body['name']).error?.issues ?? []
      const others = (serviceCreate.safeParse(body).error?.issues ?? []).filter(({ path }) => path[0] !== 'name')
      for (const issue of [...name.map((nameIssue) => ({ ...nameIssue, path: ['name'] })), ...others]) {
        context.addIssue({ code: 'custom', path: [fieldOf(issue.path[0])], message: formatIssue(issue) })
      }
    }),
  body: newServiceBody,
  refusals: ({ fields = [] }) => fields.map(({ path, message }) => ({ path: fieldOf(path.split('.')[0]), message })),
}
