import { readAhead } from '#console/api/queries.ts'
import { services } from '#contract/services.ts'
import { ServiceEditor } from './edit/ServiceEditor.tsx'
import { ServiceGate } from './ServiceGate.tsx'

export function reads({ connectionId = '', serviceId = '' }: Record<string, string>) {
  readAhead(connectionId, services.get, { params: { serviceId } })
}

export default function EditServicePage() {
  return (
    <ServiceGate title="Edit service">{(service) => <ServiceEditor key={service.id} read={service} />}</ServiceGate>
  )
}
