import { readAhead } from '#console/api/queries.ts'
import { NewRecord } from '#console/shell/record/NewRecord.tsx'
import { services } from '#contract/services.ts'
import { RoleFields } from './RoleFields.tsx'
import { emptyForm, roleForm } from './roleForm.ts'
import { roleResource } from './roleResource.ts'

export function reads({ connectionId = '' }: Record<string, string>): void {
  readAhead(connectionId, services.list, {})
}

export default function NewRolePage() {
  return (
    <NewRecord
      resource={roleResource}
      model={roleForm}
      start={emptyForm}
      lead="Permissions that API keys and members get together. Nobody can give more than they have."
    >
      {(form) => <RoleFields form={form} />}
    </NewRecord>
  )
}
