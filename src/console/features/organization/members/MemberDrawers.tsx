/** The forms of the page of members: an invitation, and the roles of a member. */
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { InvitationPlaces } from '#console/shell/InvitationPlaces.tsx'
import { invitationInput, invitations, members, type Member } from '#contract/members.ts'
import { useRoleOptions } from '../roleOptions.ts'
import { memberName } from './columns.tsx'
import type { InvitationLink } from './InvitationLinkDialog.tsx'

interface DrawerProps {
  onClose: () => void
}

const rolesSchema = z.object({ assignedRoleIds: z.array(z.string()) })

const invitationSchema = rolesSchema.extend({
  email: z.string().refine((email) => invitationInput.shape.email.safeParse(email).success, 'Enter an email address'),
})

/** Invites a person by their address. */
export function InviteDrawer({ onClose, onLink }: DrawerProps & { onLink: (link: InvitationLink) => void }) {
  const connection = useConnection()
  const form = useSchemaForm(invitationSchema, { email: '', assignedRoleIds: [] })
  const [error, setError] = useState<ErrorText | null>(null)
  const write = useApiMutation(connection.id, invitations.create, {
    onSuccess: (invitation) => {
      toast({ tone: 'ok', text: `${invitation.email} is invited.` })
      onClose()
      if (invitation.url) onLink({ email: invitation.email, url: invitation.url, expireAt: invitation.expireAt })
    },
    onError: (failure) => setError(formatError(failure, location.pathname)),
  })
  const submit = form.handleSubmit(({ email, assignedRoleIds }) => {
    setError(null)
    write.mutate({ body: { email, ...(assignedRoleIds.length > 0 && { assignedRoleIds }) } })
  })
  return (
    <FormDrawer
      title="Invite a person"
      onSubmit={() => void submit()}
      submitLabel="Invite"
      onCancel={onClose}
      loading={write.isPending}
      submitError={error}
      dirty={form.formState.isDirty}
      changes={null}
      disabled={lockReason(connection)}
    >
      <InvitationPlaces here="organization" />
      <FieldGrid columns={1}>
        <TextField control={form.control} name="email" label="Email" required maxLength={320} />
        <ChecksField
          control={form.control}
          name="assignedRoleIds"
          label="Roles"
          options={useRoleOptions()}
          help="Without a role, the person becomes a member with the role Member."
        />
      </FieldGrid>
    </FormDrawer>
  )
}

/** Changes the roles of a member. */
export function MemberRolesDrawer({ member, onClose }: DrawerProps & { member: Member }) {
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
