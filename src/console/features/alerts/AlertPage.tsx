import { AlertDetail } from './AlertDetail.tsx'
import { AlertGate, readAlert } from './AlertGate.tsx'

export { readAlert as reads }

export default function AlertPage() {
  return <AlertGate title="Alert">{(alert) => <AlertDetail alert={alert} />}</AlertGate>
}
