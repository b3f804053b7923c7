import { useQuery } from '@tanstack/react-query'
import { MailPlus, UserPlus, Users, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { useOffer } from '#console/api/offers/offers.ts'
import { pageReads, q, invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { invitations, type Member, members, type Invitation } from '#contract/cloud/organization/members.ts'
import { roles } from '#contract/cloud/organization/roles.ts'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { useRoleOptions } from '../roleOptions.ts'
import { invitationColumns, memberColumns, memberName } from './columns.tsx'
import * as css from '../organization.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import { defaultTableState, type TableState } from '#console/ui/table/tableState.ts'
import { call } from '#console/api/call.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import type { Connection } from '#contract/console/connections.ts'

const InviteDialog = lazyComponent(async () => (await import('#console/records/invite/InviteDialog.tsx')).InviteDialog)

export const reads = pageReads(members.list, invitations.list, roles.list)

/** The members of the organization, and who is invited. */
export default function MembersPage() {
  const connection = useConnection()
  const { reason } = useOffer(connection, 'members', members.list.variants)
  const { data, error, refetch } = useQuery({ ...q(connection.id, members.list, {}), enabled: reason === undefined })
  const rows = useMemo(() => data?.map((member) => ({ ...member, id: member.userId })), [data])
  const [inviting, setInviting] = useState(false)
  const [edited, setEdited] = useState<Member | null>(null)
  const table = useTableState()
  const locked = lockReason(connection)
  usePageActions(
    useMemo(
      () => [{ label: 'Invite', icon: UserPlus, key: 'n', disabled: locked, run: () => setInviting(true) }],
      [locked],
    ),
  )
  if (reason !== undefined) {
    return (
      <Page title="Members">
        <NotOffered reason={reason} />
      </Page>
    )
  }
  return (
    <Page
      title="Members"
      lead="People of the organization and their roles. API keys have roles of their own."
      actions={
        <DisabledReason reason={locked}>
          <Button
            variant="contained"
            color="primary"
            disabled={locked !== undefined}
            startIcon={<UserPlus size={14} aria-hidden />}
            onPointerEnter={InviteDialog.preload}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        </DisabledReason>
      }
    >
      <div className={css.membersPage}>
        <DataTable
          label="Members"
          rows={rows}
          columns={memberColumns}
          error={error && <QueryError error={error} onRetry={() => void refetch()} />}
          empty={<EmptyState icon={Users} title="No members" />}
          {...table}
          nameOf={memberName}
          rowActions={(member) => [
            { label: 'Change roles', icon: Users, disabled: locked, run: () => setEdited(member) },
            removeMember(connection, member),
          ]}
        />
        <Invitations />
      </div>
      {inviting && <InviteDialog here="organization" onClose={() => setInviting(false)} />}
      {edited && <MemberRolesDrawer member={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}

/** The form of the roles of a member. */
const rolesSchema = z.object({ assignedRoleIds: z.array(z.string()) })

/** Changes the roles of a member. */
function MemberRolesDrawer({ member, onClose }: { member: Member; onClose: () => void }) {
  const connection = useConnection()
  const before = (member.assignedRoles ?? []).map(({ roleId }) => roleId)
  const form = useSchemaForm(rolesSchema, { assignedRoleIds: before })
  const assignedRoleIds = useWatch({ control: form.control, name: 'assignedRoleIds' })
  const [error, setError] = useState<ErrorText | null>(null)
  const write = useApiMutation(connection.id, members.update, {
    onSuccess: () => {
      toast({ tone: 'ok', text: `Roles of ${memberName(member)} saved` })
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

/** The open invitations. */
function Invitations() {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, invitations.list, {}))
  // The address of the page has the state of the other table.
  const [state, setState] = useState(defaultTableState)
  const change = useCallback((part: Partial<TableState>) => setState((before) => ({ ...before, ...part })), [])
  return (
    <section className={css.invitations} aria-labelledby="invitations">
      <Text variant="h2" id="invitations">
        Invitations
      </Text>
      <DataTable
        label="Invitations"
        rows={data}
        columns={invitationColumns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={<EmptyState icon={MailPlus} title="No open invitations" />}
        state={state}
        onState={change}
        nameOf={({ email }) => email}
        rowActions={(invitation) => [withdrawInvitation(connection, invitation)]}
      />
    </section>
  )
}

/** Removes a member, once the person has confirmed it. */
function removeMember(connection: Connection, member: Member): Action {
  const name = memberName(member)
  const remove = async () => {
    const sure = await confirm({
      title: `Remove member ${name}?`,
      body: 'The member loses access to the organization. To come back they need a new invitation.',
      action: 'Remove member',
      danger: true,
      irreversible: true,
    })
    if (!sure) return
    await runWithToast(
      () => call(connection.id, members.delete, { params: { userId: member.userId } }),
      `Member ${name} removed`,
    )
    await invalidate(connection.id, 'members')
  }
  return { label: 'Remove', icon: Trash2, danger: true, disabled: lockReason(connection), run: () => void remove() }
}

function withdrawInvitation(connection: Connection, { id, email }: Invitation): Action {
  const withdraw = async () => {
    await runWithToast(
      () => call(connection.id, invitations.delete, { params: { invitationId: id } }),
      `Invitation of ${email} withdrawn`,
    )
    await invalidate(connection.id, 'invitations')
  }
  return { label: 'Withdraw', icon: Trash2, danger: true, disabled: lockReason(connection), run: () => void withdraw() }
}
