import { EditRecord } from '#console/shell/record/EditRecord.tsx'
import { recordReads } from '#console/shell/record/recordCalls.ts'
import { services } from '#contract/services.ts'
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
