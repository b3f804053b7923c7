import { useQuery } from '@tanstack/react-query'
import { MailPlus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { defaultTableState, type TableState } from '#console/ui/table/tableState.ts'
import { invitations } from '#contract/members.ts'
import { invitationColumns } from './columns.tsx'
import { withdrawInvitation } from './memberActions.ts'
import css from './Invitations.module.css'

/** The open invitations. */
export function Invitations() {
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
