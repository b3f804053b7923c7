import { Link2, Trash2 } from 'lucide-react'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { team, type Invitation } from '#contract/stack/team.ts'
import * as css from './team.module.css'

/** For how long an invitation is valid. */
const lifetime = 30 * 24 * 3_600_000

/** Who was invited and has not joined yet. */
export function InvitationsPanel({ invitations }: { invitations: readonly Invitation[] }) {
  const connection = useConnection()
  const locked = lockReason(connection)
  const revoke = useApiMutation(connection.id, team.revokeInvitation, { onError: toastFailure })
  const ask = async ({ id, email }: Invitation) => {
    const sure = await confirm({
      title: `Revoke invitation of ${email}?`,
      body: 'Its link no longer works. The person can be invited again.',
      action: 'Revoke invitation',
      danger: true,
    })
    if (sure) revoke.mutate({ params: { invitationId: id } })
  }
  return (
    <Panel title="Invitations" flush>
      {invitations.length === 0 ? (
        <PanelText>No pending invitations. An invitation is a link that you send to the person yourself.</PanelText>
      ) : (
        <SmallTable label="Invitations" heads={['E-mail', 'Expires', { title: 'Actions', hidden: true }]}>
          {invitations.map((invitation) => (
            <tr key={invitation.id}>
              <th scope="row">
                {invitation.email}
                {invitation.name && <div className={css.second}>{invitation.name}</div>}
              </th>
              <td>
                <Timestamp iso={expiryOf(invitation)} />
              </td>
              <td data-actions="menu" className={css.teamTableActions}>
                <CopyButton compact text={invitation.url} label={`Copy the link for ${invitation.email}`} />
                <ActionMenu
                  label={`Actions for ${invitation.email}`}
                  actions={[
                    { label: 'Copy link', icon: Link2, run: () => void copyText(invitation.url, 'Link') },
                    {
                      label: 'Revoke',
                      icon: Trash2,
                      danger: true,
                      disabled: locked,
                      run: () => void ask(invitation),
                    },
                  ]}
                />
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
    </Panel>
  )
}

function expiryOf({ createdAt = '' }: Invitation): string | undefined {
  const created = Date.parse(createdAt)
  return Number.isNaN(created) ? undefined : new Date(created + lifetime).toISOString()
}
