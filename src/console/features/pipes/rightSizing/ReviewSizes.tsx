import { ApiFailure, asFailure } from '#console/api/failure.ts'
import { isHeld } from '#console/api/approval.ts'
import { invalidate } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { send } from '#console/api/send.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { fillPath } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import type { SizePredictionInput } from '#contract/console/sampling/sizeLoads.ts'
import { counted } from '#domain/text/words.ts'
import type { NextSize, SizingRow } from './sizingRow.ts'
import { differenceText, expectedText } from './sizingTexts.ts'
import { sizeLoadsKey } from './useSizing.ts'

/** A row whose size changes. */
export type ChangedRow = SizingRow & { next: NextSize }

interface ReviewSizesProps {
  rows: readonly ChangedRow[]
  /** "−$120 per month" */
  total: string
  onEnd: () => void
  onClose: () => void
}

/**
 * Shows what is sent, sends it, and keeps what is expected of each size. Where changes need approval, all of them become one
 * change request.
 */
export function ReviewSizes({ rows, total, onEnd, onClose }: ReviewSizesProps) {
  const { id: connectionId, twoPersonApproval } = useConnection()
  const task = async (row: ChangedRow) => {
    try {
      await row.send(row.next)
    } catch (error) {
      const failure = asFailure(error)
      if (isHeld(failure)) await keepExpected(connectionId, row, failure.held?.id)
      throw error
    }
    await keepExpected(connectionId, row, undefined)
  }
  return (
    <BulkDialog
      title={`Change ${counted(rows.length, 'size')}`}
      rows={rows}
      task={task}
      action={`Change ${counted(rows.length, 'size')}`}
      stays
      onEnd={() => {
        void invalidate(connectionId, 'pipes')
        void invalidate(connectionId, 'services')
        void queryClient.invalidateQueries({ queryKey: sizeLoadsKey(connectionId) })
        onEnd()
      }}
      onClose={onClose}
    >
      <Text color="textSecondary">
        {twoPersonApproval
          ? 'They become one change request, which somebody else approves.'
          : `${counted(rows.length, 'request')}, one at a time. Changes take effect within minutes; new replicas of services start before old ones are removed.`}
      </Text>
      {total && <Text>Cost: {total}.</Text>}
      <SmallTable label="Changes" heads={['Pipe or service', 'Change', 'Expected', 'Per month']}>
        {rows.map(({ id, name, next }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>
              {next.changes.map(({ title, before, after }) => (
                <div key={title}>
                  {title}: {before} → {after}
                </div>
              ))}
            </td>
            <td>{expectedText(next.expected)}</td>
            <td>{next.difference ? differenceText(next.difference) : 'price not entered'}</td>
          </tr>
        ))}
      </SmallTable>
    </BulkDialog>
  )
}

/** The change itself has been sent: without the expectation, only the comparison is missing later. */
async function keepExpected(connectionId: string, row: ChangedRow, requestId: string | undefined): Promise<void> {
  const { cpu, memory } = row.next.expected
  const body: SizePredictionInput = {
    resource: row.resource,
    id: row.loadId,
    cpu,
    memory,
    ...(requestId !== undefined && { requestId }),
  }
  await send(fillPath(pagePaths.sizePredictions, { connectionId }), { method: 'POST', body }).catch(
    (error: unknown) => {
      if (!(error instanceof ApiFailure)) throw error
      toast({
        tone: 'bad',
        text: `The expected load of ${row.name} was not kept, so it cannot be compared later: ${error.message}`,
      })
    },
  )
}
