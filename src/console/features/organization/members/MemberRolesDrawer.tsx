/** The form of the roles of a member. */
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { members, type Member } from '#contract/members.ts'
import { useRoleOptions } from '../roleOptions.ts'
import { memberName } from './columns.tsx'

const rolesSchema = z.object({ assignedRoleIds: z.array(z.string()) })

/** Changes the roles of a member. */
export function MemberRolesDrawer({ member, onClose }: { member: Member; onClose: () => void }) {
  const connection = useConnection()
  const before = (member.assignedRoles ?? []).map(({ roleId }) => roleId)
  const form = useSchemaForm(rolesSchema, { assignedRoleIds: before })
  const assignedRoleIds = useWatch({ control: form.control, name: 'assignedRoleIds' })
  const [error, setError] = useState<ErrorText | null>(null)
  const write = useApiMutation(connection.id, members.update, {
    onSuccess: () => {
      toast({ tone: 'ok', text: `Roles of ${memberName(member)} saved.` })
      onClose()
    },
    onError: (failure) => setError(formatError(failure, location.pathname)),
  })
  const unchanged = sameValue(before.toSorted(), assignedRoleIds.toSorted())
  return (
    <FormDrawer
      title={`Roles of ${memberName(member)}`}
      onSubmit={() => {
        setError(null)
        write.mutate({ params: { userId: member.userId }, body: { assignedRoleIds } })
      }}
      submitLabel="Save roles"
      onCancel={onClose}
      loading={write.isPending}
      submitError={error}
      dirty={!unchanged}
      changes={unchanged ? 'No changes' : '1 change: roles'}
      disabled={lockReason(connection) ?? (unchanged ? 'No changes' : undefined)}
    >
      <ChecksField control={form.control} name="assignedRoleIds" label="Roles" options={useRoleOptions()} />
    </FormDrawer>
  )
}
