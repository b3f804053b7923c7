import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { SizePrediction } from '#contract/console/sampling/sizeLoads.ts'
import type { SizingRow } from './sizingRow.ts'
import { compare, type Comparison } from './sizingTexts.ts'

const verdicts: Record<Comparison['verdict'], [tone: ChipTone, text: string]> = {
  waiting: ['warn', 'waits for approval'],
  unmeasured: ['neutral', 'not measured yet'],
  asPredicted: ['ok', 'as predicted'],
  higher: ['bad', 'higher than predicted'],
}

interface AppliedSizesProps {
  predictions: readonly SizePrediction[]
  rows: readonly SizingRow[]
}

/** The sizes that were changed here: the expected load, and the load that was measured since. */
export function AppliedSizes({ predictions, rows }: AppliedSizesProps) {
  const shown = predictions.flatMap((prediction) => {
    const row = rows.find(({ resource, loadId }) => resource === prediction.resource && loadId === prediction.id)
    return row ? [{ row, prediction }] : []
  })
  if (shown.length === 0) return null
  return (
    <Panel title="Changed sizes" aside="prediction and measurement" flush>
      <SmallTable label="Changed sizes" heads={['Pipe or service', 'Since', 'Prediction and measurement', 'Result']}>
        {shown.map(({ row, prediction }) => {
          const { verdict, text } = compare(prediction)
          const [tone, word] = verdicts[verdict]
          const { appliedAt, requestId } = prediction
          return (
            <tr key={row.id}>
              <th scope="row">
                <TextLink to={row.path} row>
                  {row.name}
                </TextLink>
              </th>
              <td>
                {appliedAt !== null && formatMoment(appliedAt)}
                {appliedAt === null && requestId !== undefined && (
                  <TextLink to={paths.changeRequest(requestId)}>Change request</TextLink>
                )}
              </td>
              <td>{text}</td>
              <td>
                <StatusChip tone={tone}>{word}</StatusChip>
              </td>
            </tr>
          )
        })}
      </SmallTable>
    </Panel>
  )
}
