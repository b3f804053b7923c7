import { useQuery } from '@tanstack/react-query'
import { deletedQuery } from '#console/api/gateway/history.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { KindIcon, kindLabel, recordName } from '#console/shell/recordKinds.tsx'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { PanelText } from '#console/ui/layout/Panel.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { DeletedRecord } from '#contract/console/history.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { causeLabels } from './historyLabels.ts'

interface DeletedListProps {
  onRestore: (record: DeletedRecord) => void
}

/** Records that are gone, with the way back. */
export function DeletedList({ onRestore }: DeletedListProps) {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(deletedQuery(connection.id))
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingPanels heights={[120]} />
  if (data.length === 0) {
    return (
      <EmptyState title="Nothing was deleted">
        Records that are deleted, here or elsewhere, can be brought back from here.
      </EmptyState>
    )
  }
  return (
    <>
      <SmallTable label="Deleted records" heads={['Record', 'Deleted', { title: 'Actions', hidden: true }]}>
        {data.map((record) => {
          const { kind, id, name, at, cause, actor } = record
          const reason = isWritable(kind) ? undefined : `A ${kindLabel(kind).one} cannot be created again.`
          return (
            <tr key={`${kind} ${id}`}>
              <th scope="row">
                <KindIcon kind={kind} /> {recordName(kind, name)}
              </th>
              <td>
                {formatMoment(at)}, {actor === undefined ? causeLabels[cause] : formatBrowser(actor)}
              </td>
              <td data-actions>
                <DisabledReason reason={reason}>
                  <Button
                    aria-label={`Bring back ${recordName(kind, name)}`}
                    disabled={reason !== undefined}
                    onClick={() => onRestore(record)}
                  >
                    Bring back…
                  </Button>
                </DisabledReason>
              </td>
            </tr>
          )
        })}
      </SmallTable>
      <PanelText>
        A record that comes back has a new ID, which is carried into what refers to it. Secrets that the deployment
        never gives back, such as the headers of a webhook, have to be entered again.
      </PanelText>
    </>
  )
}

/** Kinds that can be created by the API of both variants. */
export function isWritable(kind: string): kind is (typeof recordKinds)[number] {
  return (recordKinds as readonly string[]).includes(kind)
}
