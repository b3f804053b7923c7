import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers/offers.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { RecordLoader } from '#console/records/record/RecordLoader.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'
import { NewPipe } from './create/NewPipe.tsx'

export const reads = pageReads(services.list)

const title = 'New data pipe'

export default function NewPipePage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'pipes', pipes.list.variants)
  const read = useQuery({ ...q(connection.id, services.list, {}), enabled: offered })
  if (reason !== undefined) {
    return (
      <Page title={title}>
        <NotOffered reason={reason} />
      </Page>
    )
  }
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.pipes(connection.id), label: 'All data pipes' }}>
      {(services) => <NewPipe services={services} />}
    </RecordLoader>
  )
}
