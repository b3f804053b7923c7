import { readAhead } from '#console/api/queries.ts'
import { services } from '#contract/services.ts'
import { ServiceEditor } from './edit/ServiceEditor.tsx'
import { ServiceLoader } from './ServiceLoader.tsx'

export function reads({ connectionId = '', serviceId = '' }: Record<string, string>) {
  readAhead(connectionId, services.get, { params: { serviceId } })
}

export default function EditServicePage() {
  return (
    <ServiceLoader title="Edit service">{(service) => <ServiceEditor key={service.id} read={service} />}</ServiceLoader>
  )
}
