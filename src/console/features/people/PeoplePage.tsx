import { useQuery } from '@tanstack/react-query'
import { Link2, Pencil, Trash2, UserCheck, UserPlus, Users, UserX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { deletePerson, invitePerson, peopleQuery, setPersonDisabled } from '#console/api/gateway/people.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import type { Invited, ListedPerson } from '#contract/console/people.ts'
import { peopleColumns } from './columns.tsx'

const InviteDialog = lazyComponent(async () => (await import('#console/records/invite/InviteDialog.tsx')).InviteDialog)
const PersonDialog = lazyComponent(async () => (await import('./PersonDialog.tsx')).PersonDialog)
const InvitationDialog = lazyComponent(async () => (await import('./InvitationDialog.tsx')).InvitationDialog)

export function prefetch(): void {
  void queryClient.prefetchQuery(peopleQuery)
  void queryClient.prefetchQuery(connectionsQuery)
}

/** The people who may use the console, with their role on each connection. */
export default function PeoplePage() {
  const { data, error, refetch } = useQuery(peopleQuery)
  const { data: connections } = useQuery(connectionsQuery)
  const [edited, setEdited] = useState<ListedPerson | null>(null)
  const [inviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<Invited | null>(null)
  const columns = useMemo(() => peopleColumns(connections ?? []), [connections])
  usePageActions(useMemo(() => [{ label: 'Invite', icon: UserPlus, run: () => setInviting(true) }], []))
  const add = (
    <Button
      variant="contained"
      color="primary"
      startIcon={<UserPlus size={14} aria-hidden />}
      onPointerEnter={InviteDialog.preload}
      onClick={() => setInviting(true)}
    >
      Invite
    </Button>
  )
  const invite = (person: ListedPerson) => void invitePerson(person.id).then(setInvited, toastFailure)
  return (
    <Page
      title="People"
      lead="Who may use this console, and what they may do on each connection. Changes act at once, on open sessions and tokens too."
      actions={(error !== null || (data && data.length > 0)) && add}
    >
      <DataTable
        label="People"
        rows={data}
        columns={columns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState icon={Users} title="Nobody has an account yet" action={add}>
            Anyone with the sign-in link or the password of the console is an administrator. Invite people to give each
            of them an account and a role. Start with yourself, as administrator.
          </EmptyState>
        }
        {...useTableState()}
        nameOf={({ name }) => name}
        rowActions={(person) => actionsOf(person, setEdited, invite)}
      />
      {edited && <PersonDialog person={edited} connections={connections ?? []} onClose={() => setEdited(null)} />}
      {inviting && <InviteDialog here="console" onClose={() => setInviting(false)} />}
      {invited && <InvitationDialog invited={invited} onClose={() => setInvited(null)} />}
    </Page>
  )
}

function actionsOf(
  person: ListedPerson,
  edit: (person: ListedPerson) => void,
  invite: (person: ListedPerson) => void,
): Action[] {
  const isDisabled = person.state === 'disabled'
  const disabled = isDisabled ? 'This account is disabled.' : undefined
  return [
    { label: 'Edit roles', icon: Pencil, run: () => edit(person) },
    {
      label: person.state === 'invited' ? 'New invitation link' : 'Link for a new password',
      icon: Link2,
      disabled,
      run: () => invite(person),
    },
    isDisabled
      ? {
          label: 'Enable',
          icon: UserCheck,
          run: () => void runWithToast(() => setPersonDisabled(person.id, false), `Account ${person.name} enabled`),
        }
      : { label: 'Disable', icon: UserX, run: () => void disable(person) },
    { label: 'Delete', icon: Trash2, danger: true, run: () => void remove(person) },
  ]
}

async function disable(person: ListedPerson): Promise<void> {
  const sure = await confirm({
    title: `Disable account ${person.name}?`,
    body: 'All sessions end at once, and tokens stop working. It can be enabled again.',
    action: 'Disable account',
  })
  if (sure) await runWithToast(() => setPersonDisabled(person.id, true), `Account ${person.name} disabled`)
}

async function remove(person: ListedPerson): Promise<void> {
  const sure = await confirm({
    title: `Delete account ${person.name}?`,
    body: 'All sessions end at once, and tokens are revoked. What the person did stays in the history.',
    action: 'Delete account',
    danger: true,
  })
  if (sure) await runWithToast(() => deletePerson(person.id), `Account ${person.name} deleted`)
}
