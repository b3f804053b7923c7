import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { serviceSettings } from '#contract/cloud/services/serviceSettings.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName } from './model/serviceLabels.ts'
import { serviceResource } from './model/serviceResource.ts'
import { PartLoader } from './parts/PartLoader.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { SettingsEditor } from './settings/SettingsEditor.tsx'

export const reads = recordReads(serviceResource, serviceSettings.list, serviceSettings.schema)

export default function ServiceSettingsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Settings" nav={<ServiceTabs />}>
      {(service) => <Settings key={service.id} service={service} />}
    </ResourceLoader>
  )
}

function Settings({ service }: { service: Service }) {
  const { id: connectionId } = useConnection()
  const params = { serviceId: service.id }
  const list = useQuery(q(connectionId, serviceSettings.list, { params }))
  const schema = useQuery(q(connectionId, serviceSettings.schema, { params }))
  const schemas = useMemo(
    () => new Map((schema.data?.settings ?? []).map((setting) => [setting.name, setting])),
    [schema.data?.settings],
  )
  return (
    <Page
      title={`Settings of ${serviceName(service)}`}
      lead="Database settings that differ from their defaults, for all users of the service."
      nav={<ServiceTabs />}
    >
      <PartLoader title="Settings" read={list} height={300}>
        {(stored) =>
          stored && (
            <SettingsEditor service={service} stored={stored} schemas={schemas} loading={schema.isPending}>
              <Notice tone="info">A local stack checks and stores settings. Its engine does not apply them.</Notice>
              {schema.error && (
                <Notice tone="warning" role="status">
                  The list of settings could not be loaded. Values are sent without validation: {schema.error.message}
                </Notice>
              )}
            </SettingsEditor>
          )
        }
      </PartLoader>
    </Page>
  )
}
