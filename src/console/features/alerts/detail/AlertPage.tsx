import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { alertReads, alertResource } from '../alertResource.ts'
import { AlertDetail } from './AlertDetail.tsx'

export { alertReads as reads }

/** Milliseconds: evaluations change the state of an alert. */
const pollInterval = 30_000

export default function AlertPage() {
  return (
    <ResourceLoader resource={alertResource} pollInterval={pollInterval}>
      {(alert) => <AlertDetail alert={alert} />}
    </ResourceLoader>
  )
}
