import { UserMinus } from 'lucide-react'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { team, type TeamMember } from '#contract/stack/team.ts'
import * as css from './team.module.css'

const nameOf = ({ name, email, id }: TeamMember) => name || email || id

/** Everybody with an account. */
export function MembersPanel({ members }: { members: readonly TeamMember[] }) {
  const connection = useConnection()
  const remove = useApiMutation(connection.id, team.removeMember, { onError: toastFailure })
  const ask = async (member: TeamMember) => {
    const sure = await confirm({
      title: `Remove member ${nameOf(member)}?`,
      body: 'The account is deleted and its personal API key is refused at once. Its alerts stay, with you as their author.',
      action: 'Remove member',
      danger: true,
      irreversible: true,
    })
    if (!sure) return
    remove.mutate(
      { params: { memberId: member.id } },
      { onSuccess: () => toast({ tone: 'ok', text: `Member ${nameOf(member)} removed` }) },
    )
  }
  const whyKept = ({ isCurrentUser, isOwner }: TeamMember) => {
    if (isCurrentUser) return 'This connection uses the key of this account.'
    return isOwner ? 'The console of this stack uses the key of this account.' : lockReason(connection)
  }
  return (
    <Panel title="Members" flush>
      <SmallTable label="Members" heads={['Name', 'Member since', { title: 'Actions', hidden: true }]}>
        {members.map((member) => (
          <tr key={member.id}>
            <th scope="row">
              {nameOf(member)} {member.isCurrentUser && <StatusChip tone="accent">Key of this connection</StatusChip>}
              {!member.isOwner && member.name && member.email && member.name !== member.email && (
                <div className={css.second}>{member.email}</div>
              )}
            </th>
            <td>
              <Timestamp iso={member.createdAt} />
            </td>
            <td data-actions="menu" className={css.teamTableActions}>
              <ActionMenu
                label={`Actions for ${nameOf(member)}`}
                actions={[
                  {
                    label: 'Remove',
                    icon: UserMinus,
                    danger: true,
                    disabled: whyKept(member),
                    run: () => void ask(member),
                  },
                ]}
              />
            </td>
          </tr>
        ))}
      </SmallTable>
    </Panel>
  )
}
