import { ServiceEditor } from './edit/ServiceEditor.tsx'
import { readService, ServiceLoader } from './ServiceLoader.tsx'

export { readService as reads }

export default function EditServicePage() {
  return (
    <ServiceLoader title="Edit service">{(service) => <ServiceEditor key={service.id} read={service} />}</ServiceLoader>
  )
}
