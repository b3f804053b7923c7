import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import { apiKeys, type ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { roles } from '#contract/cloud/organization/roles.ts'
import { leavesNoLastingAdminKey } from '#domain/apiKeys/adminKeys.ts'
import { ApiKeyFields } from './ApiKeyFields.tsx'
import { apiKeyForm, type ApiKeyForm } from './apiKeyForm.ts'
import { apiKeyResource } from './apiKeyResource.ts'

export const reads = recordReads(apiKeyResource, roles.list)

export default function EditApiKeyPage() {
  return (
    <EditRecord resource={apiKeyResource} model={apiKeyForm}>
      {(form, base) => (
        <>
          <LastAdminNotice form={form} base={base} />
          <ApiKeyFields form={form} />
        </>
      )}
    </EditRecord>
  )
}

/** A warning before nobody can make keys any more. */
function LastAdminNotice({ form, base }: { form: UseFormReturn<ApiKeyForm>; base: ApiKey }) {
  const { id: connectionId } = useConnection()
  const now = useNow()
  const { data: keys } = useQuery(q(connectionId, apiKeys.list, {}))
  const { data: known } = useQuery(q(connectionId, roles.list, {}))
  const edited = useWatch({ control: form.control })
  if (!keys || !known) return null
  const { roleIds = [], expireAt = '', access = [] } = edited
  const change = {
    expireAt: expireAt || null,
    assignedRoles: known
      .filter(({ id }) => roleIds.includes(id))
      .map(({ id, name, type }) => ({ roleId: id, roleName: name, roleType: type })),
    roles: [],
    ipAccessList: access.map(({ source = '' }) => ({ source })),
  }
  if (!leavesNoLastingAdminKey(keys, base.id, change, now)) return null
  return (
    <Notice tone="warning" role="status">
      After this change, no API key with the role Admin is left that lasts longer than 14 days. Without one, nobody can
      make keys any more: create one first.
    </Notice>
  )
}
