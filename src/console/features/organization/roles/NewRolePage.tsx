import { pageReads } from '#console/api/queries.ts'
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { services } from '#contract/cloud/services/services.ts'
import { RoleFields } from './RoleFields.tsx'
import { emptyForm, roleForm } from './roleForm.ts'
import { roleResource } from './roleResource.ts'

export const reads = pageReads(services.list)

export default function NewRolePage() {
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
