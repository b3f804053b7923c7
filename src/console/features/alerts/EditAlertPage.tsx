import { AlertGate, readAlert } from './AlertGate.tsx'
import { EditAlert } from './EditAlert.tsx'

export { readAlert as reads }

export default function EditAlertPage() {
  return <AlertGate title="Edit alert">{(alert) => <EditAlert key={alert.id} read={alert} />}</AlertGate>
}
