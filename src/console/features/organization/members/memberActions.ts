/** Removing members and withdrawing invitations. */
import { Trash2 } from 'lucide-react'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import type { Connection } from '#contract/console/connections.ts'
import { invitations, members, type Invitation, type Member } from '#contract/cloud/organization/members.ts'
import { memberName } from './columns.tsx'

export function removeMember(connection: Connection, member: Member): Action {
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

export function withdrawInvitation(connection: Connection, { id, email }: Invitation): Action {
  const withdraw = async () => {
    await runWithToast(
      () => call(connection.id, invitations.delete, { params: { invitationId: id } }),
      `Invitation of ${email} withdrawn`,
    )
    await invalidate(connection.id, 'invitations')
  }
  return { label: 'Withdraw', icon: Trash2, danger: true, disabled: lockReason(connection), run: () => void withdraw() }
}
