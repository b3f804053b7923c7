import { EditRecord } from '#console/shell/record/EditRecord.tsx'
import { recordReads } from '#console/shell/record/recordCalls.ts'
import { roles } from '#contract/roles.ts'
import { ApiKeyFields } from './ApiKeyFields.tsx'
import { apiKeyForm } from './apiKeyForm.ts'
import { apiKeyResource } from './apiKeyResource.ts'

export const reads = recordReads(apiKeyResource, roles.list)

export default function EditApiKeyPage() {
  return (
    <EditRecord resource={apiKeyResource} model={apiKeyForm}>
      {(form) => <ApiKeyFields form={form} />}
    </EditRecord>
  )
}
