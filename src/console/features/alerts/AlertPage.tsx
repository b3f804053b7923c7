import { AlertDetail } from './AlertDetail.tsx'
import { AlertLoader, readAlert } from './AlertLoader.tsx'

export { readAlert as reads }

export default function AlertPage() {
  return <AlertLoader title="Alert">{(alert) => <AlertDetail alert={alert} />}</AlertLoader>
}
