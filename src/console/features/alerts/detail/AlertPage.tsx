import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { alertReads, alertResource } from '../alertResource.ts'
import { AlertDetail } from './AlertDetail.tsx'

export { alertReads as reads }

export default function AlertPage() {
  return <ResourceLoader resource={alertResource}>{(alert) => <AlertDetail alert={alert} />}</ResourceLoader>
}
