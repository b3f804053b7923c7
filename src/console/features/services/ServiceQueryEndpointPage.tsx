import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { apiKeys } from '#contract/cloud/organization/apiKeys.ts'
import { serviceEndpoints, queryRoles, type QueryEndpoint } from '#contract/cloud/services/serviceEndpoints.ts'
import { serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { call } from '#console/api/call.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName } from './model/serviceLabels.ts'
import { PartForm } from './parts/PartForm.tsx'
import { PartLoader } from './parts/PartLoader.tsx'
import { useServicePart } from './parts/servicePart.ts'
import {
  queryCommand,
  queryEndpointBody,
  queryEndpointModel,
  queryHost,
  roleLabel,
} from './endpoints/queryEndpointForm.ts'
import * as css from './services.module.css'

export const reads = recordReads(serviceResource, serviceEndpoints.query, apiKeys.list)

export default function ServiceQueryEndpointPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Query endpoint" nav={<ServiceTabs />}>
      {(service) => <QueryEndpointPanels service={service} />}
    </ResourceLoader>
  )
}

/** The query endpoint of a service: on or off, with which roles, and for which keys and origins. */
function QueryEndpointPanels({ service }: { service: Service }) {
  const connection = useConnection()
  const read = useQuery(q(connection.id, serviceEndpoints.query, { params: { serviceId: service.id } }))
  return (
    <Page
      title={`Query endpoint of ${serviceName(service)}`}
      lead="Runs SQL over HTTPS with API keys of the organization, without a driver and without a database user."
      nav={<ServiceTabs />}
    >
      <Column gap={16}>
        <Notice tone="info">The page SQL uses it where the control plane has no route for SQL.</Notice>
        <PartLoader title="Query endpoint" read={read} mayBeUnset height={260}>
          {(stored) => <QueryEndpointForm service={service} stored={stored} />}
        </PartLoader>
      </Column>
    </Page>
  )
}

function QueryEndpointForm({ service, stored }: { service: Service; stored: QueryEndpoint | null }) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const keys = useQuery(q(connection.id, apiKeys.list, {}))
  const names = useMemo(() => new Map(keys.data?.map(({ id, name }) => [id, name])), [keys.data])
  const model = useMemo(() => queryEndpointModel((id) => names.get(id) ?? id), [names])
  const part = useServicePart({
    model,
    serviceId: service.id,
    stored,
    write: (form, base) => {
      const input = { params, body: queryEndpointBody(form, base) }
      return call(connection.id, serviceEndpoints.setQuery, input, base ? { base } : {})
    },
    remove: async (base) => {
      await ignoreNotFound(call(connection.id, serviceEndpoints.deleteQuery, { params }, { base }))
    },
  })
  const { form, values } = part
  const unlisted = values.keyIds.filter((id) => !names.has(id))
  const locked = lockReason(connection)
  const on = stored !== null
  return (
    <>
      <PartForm
        title="Query endpoint"
        aside={<StatusChip tone={on ? 'ok' : 'neutral'}>{on ? 'On' : 'Off'}</StatusChip>}
        part={part}
        submitLabel={on ? 'Save query endpoint' : 'Turn on query endpoint'}
        mayRepeat={!on}
        actions={stored && <TurnOff service={service} stored={stored} />}
        note={on && 'Saving replaces all of it: keys that are not selected lose access.'}
      >
        <FieldGrid>
          <ChecksField
            control={form.control}
            name="roles"
            label="Roles"
            help="The database roles that queries run with."
            disabled={locked}
            options={[...new Set([...queryRoles, ...values.roles])].map((value) => ({
              value,
              label: roleLabel(value),
              detail: value,
            }))}
          />
          <ChecksField
            control={form.control}
            name="keyIds"
            label="API keys"
            help={keys.error ? 'The API keys of the organization could not be read, so their names are missing.' : ''}
            disabled={locked}
            none={keys.isPending ? 'Loading…' : 'The organization has no API keys.'}
            options={[
              ...(keys.data ?? []).map(({ id, name, keySuffix, state }) => ({
                value: id,
                label: name,
                detail: [keySuffix && `ends in ${keySuffix}`, state === 'disabled' && 'disabled']
                  .filter(Boolean)
                  .join(' · '),
              })),
              ...unlisted.map((id) => ({ value: id, label: id, detail: 'not a key that this connection sees' })),
            ]}
          />
        </FieldGrid>
        <NamesField
          control={form.control}
          name="origins"
          label="Allowed origins"
          placeholder="https://app.example.com"
          help="Web pages that may send queries. None: servers only. * is every page."
          disabled={locked}
        />
      </PartForm>
      {on && <QueryCommand service={service} />}
    </>
  )
}

function TurnOff({ service, stored }: { service: Service; stored: QueryEndpoint }) {
  const connection = useConnection()
  const locked = lockReason(connection)
  const params = { serviceId: service.id }
  const turnOff = async () => {
    const sure = await confirm({
      title: `Turn off query endpoint of ${serviceName(service)}?`,
      body: 'Clients that send queries to it get an error at once. Its roles, keys and origins are deleted.',
      action: 'Turn off',
      danger: true,
      typed: serviceName(service),
    })
    if (!sure) return
    await runWithToast(
      () => ignoreNotFound(call(connection.id, serviceEndpoints.deleteQuery, { params }, { base: stored })),
      'Query endpoint turned off',
    )
    await invalidate(connection.id, 'serviceEndpoints')
  }
  return (
    <DisabledReason reason={locked}>
      <Button
        disabled={locked !== undefined}
        style={{ color: locked === undefined ? 'var(--bad)' : undefined }}
        onClick={() => void turnOff()}
      >
        Turn off
      </Button>
    </DisabledReason>
  )
}

function QueryCommand({ service }: { service: Service }) {
  const { id, baseUrl } = useConnection()
  const command = queryCommand(baseUrl, service.id)
  const isKnown = !queryHost(baseUrl).startsWith('$')
  return (
    <Panel title="Send a query" aside={<CopyButton text={command} label="Copy command" />}>
      <Column gap={12}>
        <ScrollRegion as="pre" label="A query as cURL" className={css.endpointsCommand}>
          {command}
        </ScrollRegion>
        <Text color="textSecondary">
          <code>$KEY_ID</code> and <code>$KEY_SECRET</code> are those of a selected API key; a secret is only shown when
          its key is created.{' '}
          {!isKnown && (
            <>
              <code>$QUERY_HOST</code> is the address of the deployment’s query service, of a stack its own.{' '}
            </>
          )}
          An idle service answers 206: repeat the request with the header <code>wake-service: true</code>.
        </Text>
        <div>
          <LinkButton to={paths.apiKeys(id)}>API keys</LinkButton>
        </div>
      </Column>
    </Panel>
  )
}
