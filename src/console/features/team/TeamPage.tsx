import { useQuery } from '@tanstack/react-query'
import { Pencil, UserPlus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { usePageActions, type PageAction } from '#console/shell/pageActions.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { team } from '#contract/stack/team.ts'
import { InvitationsPanel } from './InvitationsPanel.tsx'
import { MembersPanel } from './MembersPanel.tsx'
import { UnsupportedByApi } from './UnsupportedByApi.tsx'

const InviteDialog = lazyComponent(async () => (await import('#console/records/invite/InviteDialog.tsx')).InviteDialog)
const RenameDialog = lazyComponent(async () => (await import('./RenameDialog.tsx')).RenameDialog)

export const reads = pageReads(team.get, team.members, team.invitations)

/** The members of a deployment's team, and its invitations. */
export default function TeamPage() {
  const connection = useConnection()
  const [dialog, setDialog] = useState<'invite' | 'rename' | null>(null)
  const own = useQuery(q(connection.id, team.get, {}))
  const members = useQuery(q(connection.id, team.members, {}))
  const invitations = useQuery(q(connection.id, team.invitations, {}))
  const locked = lockReason(connection)
  // Invitations need nothing of what is read here: as on other pages, a list that fails does not keep one from adding to it.
  const unnamed = own.error ? `The name of the team could not be read. ${formatError(own.error).sentence}` : undefined
  const renames = useFeatureOffer(connection, team.rename)
  const missing = [own, members, invitations].some(({ error }) => error && asFailure(error).code === 'notOffered')
  const actions = useMemo(
    (): PageAction[] => [
      { label: 'Invite', icon: UserPlus, disabled: locked, primary: true, run: () => setDialog('invite') },
    ],
    [locked],
  )
  usePageActions(actions)
  return (
    <Page
      title="Team"
      lead={
        own.data?.name
          ? `Members of “${own.data.name}” share all records of this deployment. Each has a personal API key.`
          : 'Members share all records of this deployment. Each has a personal API key.'
      }
      actions={
        !missing && (
          <>
            {renames && (
              <DisabledReason reason={locked ?? unnamed}>
                <Button
                  disabled={locked !== undefined || unnamed !== undefined}
                  startIcon={<Pencil size={14} aria-hidden />}
                  onPointerEnter={RenameDialog.preload}
                  onClick={() => setDialog('rename')}
                >
                  Rename team
                </Button>
              </DisabledReason>
            )}
            <DisabledReason reason={locked}>
              <Button
                variant="contained"
                color="primary"
                disabled={locked !== undefined}
                startIcon={<UserPlus size={14} aria-hidden />}
                onPointerEnter={InviteDialog.preload}
                onClick={() => setDialog('invite')}
              >
                Invite
              </Button>
            </DisabledReason>
          </>
        )
      }
    >
      {missing ? (
        <UnsupportedByApi subject="members and invitations" />
      ) : (
        <Column gap={16}>
          {members.error && <QueryError error={members.error} onRetry={() => void members.refetch()} />}
          {!members.data && !members.error && <LoadingPanels heights={[140, 120]} />}
          {members.data && <MembersPanel members={members.data} />}
          {invitations.error && !members.error && (
            <QueryError error={invitations.error} onRetry={() => void invitations.refetch()} />
          )}
          {members.data && invitations.data && <InvitationsPanel invitations={invitations.data} />}
        </Column>
      )}
      {dialog === 'invite' && <InviteDialog here="team" onClose={() => setDialog(null)} />}
      {dialog === 'rename' && <RenameDialog name={own.data?.name ?? ''} onClose={() => setDialog(null)} />}
    </Page>
  )
}
