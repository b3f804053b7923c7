/** The forms of a new and of a stored role. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { pageReads, q } from '#console/api/queries.ts'
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { services } from '#contract/cloud/services/services.ts'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { maxPolicies } from '#contract/cloud/organization/roles.ts'
import { emptyForm, roleForm, emptyPolicy, fieldTitles, type RoleForm, roleResource } from './roleResource.ts'
import { organizationOptions, serviceOptions } from './permissionLabels.ts'

NewRolePage.reads = pageReads(services.list)

export function NewRolePage() {
  return (
    <NewRecord
      resource={roleResource}
      model={roleForm}
      start={emptyForm}
      lead="A set of permissions for API keys and members. You can grant only permissions that you have."
    >
      {(form) => <RoleFields form={form} />}
    </NewRecord>
  )
}

EditRolePage.reads = recordReads(roleResource, services.list)

export function EditRolePage() {
  return (
    <EditRecord resource={roleResource} model={roleForm} reviewFirst>
      {(form) => <RoleFields form={form} />}
    </EditRecord>
  )
}

const effects = [
  { value: 'ALLOW', label: 'Allow' },
  { value: 'DENY', label: 'Deny', detail: 'Overrides all Allow policies' },
]

/** The fields of a role. */
function RoleFields({ form: { control } }: { form: UseFormReturn<RoleForm> }) {
  const { id: connectionId } = useConnection()
  const { fields, append, remove } = useFieldArray({ control, name: 'policies' })
  const { data } = useQuery(q(connectionId, services.list, {}))
  const known = (data ?? []).map(({ id, name }) => ({ value: id, label: name ?? id, detail: id }))
  return (
    <>
      <Panel title="Role">
        <FieldGrid>
          <TextField control={control} name="name" label={fieldTitles.name} required maxLength={128} />
        </FieldGrid>
      </Panel>
      {fields.map(({ id }, at) => (
        <Panel
          key={id}
          title={`Policy ${at + 1}`}
          aside={
            <Button size="small" aria-label={`Remove policy ${at + 1}`} onClick={() => remove(at)}>
              Remove
            </Button>
          }
        >
          <FieldGrid columns={1}>
            <SelectField control={control} name={`policies.${at}.allowDeny`} label="Effect" options={effects} />
            <ChecksField
              control={control}
              name={`policies.${at}.organizationPermissions`}
              label="In the organization"
              options={organizationOptions}
            />
            <ChecksField
              control={control}
              name={`policies.${at}.servicePermissions`}
              label="On services"
              options={serviceOptions}
            />
            <ChecksField
              control={control}
              name={`policies.${at}.serviceIds`}
              label="Services"
              options={known}
              none="No services are known."
              help="If none is selected: all services, also future ones."
            />
          </FieldGrid>
        </Panel>
      ))}
      {fields.length < maxPolicies && (
        <div>
          <Button startIcon={<Plus size={14} aria-hidden />} onClick={() => append(emptyPolicy)}>
            Add policy
          </Button>
        </div>
      )}
    </>
  )
}
