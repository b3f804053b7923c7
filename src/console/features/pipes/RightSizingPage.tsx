import { Scaling } from 'lucide-react'
import { useOffer } from '#console/api/offers/offers.ts'
import { pageReads } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { SamplingErrorNotice } from '#console/charting/sampling/SamplingNote.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'
import { highestShare } from '#domain/sizing/advice.ts'
import { percent, compare, type Comparison } from './rightSizing/sizingTexts.ts'
import { SizeSelection } from './rightSizing/SizeSelection.tsx'
import { useSizing } from './rightSizing/useSizing.ts'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { SizePrediction } from '#contract/console/sampling/sizeLoads.ts'
import type { SizingRow } from './rightSizing/sizingRow.ts'

export const reads = pageReads(services.list)

/** The sizes of all pipes and services against the load of the last days. */
export default function RightSizingPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'pipes', pipes.list.variants)
  return (
    <Page
      title="Right-sizing"
      lead={`The load of the last 7 days against the sizes of pipes and services. A suggested size leaves ${percent(1 - highestShare)} free at the highest load that was measured.`}
    >
      {reason !== undefined || !offered ? <NotOffered reason={reason ?? ''} /> : <Sizing />}
    </Page>
  )
}

function Sizing() {
  const sizing = useSizing(useConnection())
  const { rows, predictions, progress, error, retry, loadsError, sampling, isOffered } = sizing
  if (error && !rows?.length) return <QueryError error={error} onRetry={retry} />
  if (!rows) return <LoadingPanels heights={[320]} />
  if (rows.length === 0 && progress === null) {
    return (
      <EmptyState icon={Scaling} title="Nothing to size">
        This organization has no pipes and no services.
      </EmptyState>
    )
  }
  const tryAgain = <Button onClick={retry}>Try again</Button>
  return (
    <Column gap={16}>
      {!isOffered && <Notice tone="info">This deployment does not provide metrics, so no load is known.</Notice>}
      {isOffered && loadsError && (
        <Notice tone="warning" role="status" action={tryAgain}>
          The measured loads could not be read: {loadsError.message}
        </Notice>
      )}
      <SamplingErrorNotice sampling={sampling} />
      {error && (
        <Notice tone="warning" action={tryAgain}>
          Some pipes could not be read: {error.message}
        </Notice>
      )}
      {progress && (
        <Text color="textSecondary" role="status">
          Loaded the pipes of {progress.read} of {progress.of} services.
        </Text>
      )}
      <SizeSelection rows={rows} />
      <AppliedSizes predictions={predictions} rows={rows} />
      <Text color="textSecondary">
        The console measures while somebody is signed in who has looked at metrics. A peak is the highest measurement,
        p95 the 95th percentile of the highest measurements of each hour. Caches of a service count as used memory, so a
        smaller service may read more from its storage.
      </Text>
    </Column>
  )
}

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
function AppliedSizes({ predictions, rows }: AppliedSizesProps) {
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
