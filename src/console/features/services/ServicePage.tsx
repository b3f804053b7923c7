import { ServiceDetail } from './detail/ServiceDetail.tsx'
import { readService, ServiceLoader } from './ServiceLoader.tsx'

export { readService as reads }

export default function ServicePage() {
  return <ServiceLoader title="Service">{(service) => <ServiceDetail service={service} />}</ServiceLoader>
}
