import { AlertLoader, readAlert } from './AlertLoader.tsx'
import { EditAlert } from './EditAlert.tsx'

export { readAlert as reads }

export default function EditAlertPage() {
  return <AlertLoader title="Edit alert">{(alert) => <EditAlert key={alert.id} read={alert} />}</AlertLoader>
}
