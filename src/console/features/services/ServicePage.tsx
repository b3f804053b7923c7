import { readAhead } from '#console/api/queries.ts'
import { services } from '#contract/services.ts'
import { ServiceDetail } from './detail/ServiceDetail.tsx'
import { ServiceLoader } from './ServiceLoader.tsx'

export function reads({ connectionId = '', serviceId = '' }: Record<string, string>) {
  readAhead(connectionId, services.get, { params: { serviceId } })
}

export default function ServicePage() {
  return <ServiceLoader title="Service">{(service) => <ServiceDetail service={service} />}</ServiceLoader>
}
