/** Roles: the description of the resource, and its form. */
import { z } from 'zod'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { defineResource } from '#console/records/record/resource.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { roles, type Role, isOfOrganization, roleInput } from '#contract/cloud/organization/roles.ts'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { permissionLabel } from './permissionLabels.ts'

export const roleResource = defineResource({
  api: roles,
  idParams: ['roleId'],
  paths: { list: paths.roles, new: paths.newRole, detail: paths.role, edit: paths.editRole },
  nameOf: ({ name }) => name,
  unchanged: (now, before) => sameValue(readForm(now), readForm(before)),
  deletion: { effect: 'API keys and members lose the role at once. System roles cannot be deleted.' },
})

/** Why a role cannot be changed. */
export function useRoleLock({ type }: Role): string | undefined {
  const locked = lockReason(useConnection())
  return locked ?? (type === 'system' ? 'System roles cannot be changed.' : undefined)
}

type Policy = Role['policies'][number]

/** One policy. Its resources follow from the permissions: the organization, and all services or some. */
export type PolicyForm = {
  allowDeny: string
  organizationPermissions: string[]
  servicePermissions: string[]
  /** The services on which the policy grants or denies `servicePermissions`; empty for all services. */
  serviceIds: string[]
  /** Set by other clients, and kept. */
  tags: unknown
}

export type RoleForm = { name: string; policies: PolicyForm[] }

export const fieldTitles: Record<keyof RoleForm, string> = { name: 'Name', policies: 'Policies' }

export const emptyPolicy: PolicyForm = {
  allowDeny: 'ALLOW',
  organizationPermissions: [],
  servicePermissions: [],
  serviceIds: [],
  tags: undefined,
}
export const emptyForm: RoleForm = { name: '', policies: [emptyPolicy] }

export function readPolicy({ allowDeny, permissions, resources, tags }: Policy): PolicyForm {
  const serviceIds = resources
    .filter((resource) => resource.startsWith('instance/'))
    .map((resource) => resource.slice('instance/'.length))
  return {
    allowDeny,
    organizationPermissions: permissions.filter(isOfOrganization),
    // Permissions that only the deployment knows are kept here.
    servicePermissions: permissions.filter((permission) => !isOfOrganization(permission)),
    serviceIds: serviceIds.includes('*') ? [] : serviceIds,
    tags,
  }
}

function readForm(role: Role): RoleForm {
  return { name: role.name, policies: role.policies.map(readPolicy) }
}

function policyBody(
  { allowDeny, organizationPermissions, servicePermissions, serviceIds, tags }: PolicyForm,
  organizationId: string,
): object {
  const instances = serviceIds.length === 0 ? ['instance/*'] : serviceIds.map((id) => `instance/${id}`)
  return {
    allowDeny,
    permissions: [...organizationPermissions, ...servicePermissions],
    resources: [
      ...(organizationPermissions.length > 0 ? [`organization/${organizationId}`] : []),
      ...(servicePermissions.length > 0 ? instances : []),
    ],
    ...(tags !== undefined && { tags }),
  }
}

const fields = ['name', 'policies'] as const

const changedFields = (form: RoleForm, base: Role | null): (keyof RoleForm)[] => {
  const before = base ? readForm(base) : emptyForm
  return fields.filter((field) => !sameValue(form[field], before[field]))
}

/** Only changed fields are sent in an edit. The keys and members that have the role are changed on their own pages. */
function writeBody(form: RoleForm, base: Role | null, organizationId = ''): Record<string, unknown> {
  const policies = form.policies.map((policy) => policyBody(policy, organizationId))
  if (!base) return { name: form.name.trim(), actors: [], policies }
  const changed = changedFields(form, base)
  return {
    ...(changed.includes('name') && { name: form.name.trim() }),
    ...(changed.includes('policies') && { policies }),
  }
}

function formSchema() {
  return z.custom<RoleForm>().superRefine((form, context) => {
    const name = roleInput.shape.name.safeParse(form.name).error?.issues[0]
    if (name) context.addIssue({ code: 'custom', path: ['name'], message: formatIssue(name) })
    form.policies.forEach(({ organizationPermissions, servicePermissions }, at) => {
      if (organizationPermissions.length + servicePermissions.length > 0) return
      context.addIssue({
        code: 'custom',
        path: ['policies', at, 'servicePermissions'],
        message: 'Choose at least one permission',
      })
    })
  })
}

/** A policy in one line: "Allow: View services (all services)". */
function policyText({ allowDeny, organizationPermissions, servicePermissions, serviceIds }: PolicyForm): string {
  const named = [...organizationPermissions, ...servicePermissions].map(permissionLabel).join(', ')
  const where =
    servicePermissions.length === 0 ? '' : serviceIds.length === 0 ? ' (all services)' : ` (${serviceIds.join(', ')})`
  return `${allowDeny === 'DENY' ? 'Deny' : 'Allow'}: ${named || 'nothing'}${where}`
}

export const roleForm: RecordForm<Role, RoleForm> = {
  titles: fieldTitles,
  read: readForm,
  schema: formSchema,
  body: (form, base, { organizationId }) => writeBody(form, base, organizationId),
  changed: changedFields,
  formatValue: (field, form) => (field === 'name' ? form.name : form.policies.map(policyText).join('; ') || 'none'),
  refusals: ({ fields: refused = [] }) =>
    refused.map(({ path, message }) => {
      const [field, at] = path.split('.')
      return {
        path: field === 'policies' && at !== undefined ? `policies.${at}.servicePermissions` : (field ?? ''),
        message,
      }
    }),
  errorPaths: (form) => [...fields, ...form.policies.map((_, at) => `policies.${at}.servicePermissions` as const)],
}
