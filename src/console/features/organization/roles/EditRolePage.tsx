import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { services } from '#contract/cloud/services/services.ts'
import { RoleFields } from './RoleFields.tsx'
import { roleForm } from './roleForm.ts'
import { roleResource } from './roleResource.ts'

export const reads = recordReads(roleResource, services.list)

export default function EditRolePage() {
  return (
    <EditRecord resource={roleResource} model={roleForm} reviewFirst>
      {(form) => <RoleFields form={form} />}
    </EditRecord>
  )
}
