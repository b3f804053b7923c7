import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { ServiceDetail } from './detail/ServiceDetail.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'

export { serviceReads as reads }

export default function ServicePage() {
  return <ResourceLoader resource={serviceResource}>{(service) => <ServiceDetail service={service} />}</ResourceLoader>
}
