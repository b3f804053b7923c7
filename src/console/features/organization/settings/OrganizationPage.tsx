import { useQuery, useMutation, type UseMutationResult } from '@tanstack/react-query'
import { z } from 'zod'
import { useOffer } from '#console/api/offers/offers.ts'
import { pageReads, q, invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { type Organization, organizations, organizationUpdate } from '#contract/cloud/organization/organizations.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import * as css from '../organization.module.css'
import { Trash2 } from 'lucide-react'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { call } from '#console/api/call.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'

export const reads = pageReads(organizations.get)

/** The name and the settings of the organization. */
export default function OrganizationPage() {
  const connection = useConnection()
  const { reason } = useOffer(connection, 'organizations', organizations.get.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, organizations.get, {}),
    enabled: reason === undefined,
  })
  return (
    <Page title="Organization" lead="The name and the settings that all services of the organization share.">
      {reason !== undefined && <NotOffered reason={reason} />}
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {reason === undefined && !data && !error && <LoadingPanels heights={[190, 120, 110]} />}
      {data && <Settings organization={data} />}
    </Page>
  )
}

function Settings({ organization }: { organization: Organization }) {
  const { id, createdAt, byocConfig } = organization
  return (
    <Column gap={16}>
      <Panel title="General">
        <Column gap={16}>
          {/* What somebody else saved is shown at once. */}
          <NameForm key={organization.name} organization={organization} />
          <DescriptionList
            rows={[
              ['ID', <CopyId key="id" id={id} />],
              ['Created', createdAt && <Timestamp key="created" iso={createdAt} />],
              ['Own cloud accounts', byocConfig && byocConfig.length > 0 ? String(byocConfig.length) : undefined],
            ]}
          />
        </Column>
      </Panel>
      <PrivateEndpointsPanel organization={organization} />
      <CoreDumpsPanel organization={organization} />
    </Column>
  )
}

/** Whether the memory of a crashed service may be collected. */
function CoreDumpsPanel({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const { enableCoreDumps } = organization
  const save = useOrganizationUpdate(organization, (change) =>
    change.enableCoreDumps ? 'Core dumps are allowed.' : 'Core dumps are not allowed any more.',
  )
  const toggle = async () => {
    const sure =
      enableCoreDumps ||
      (await confirm({
        title: 'Allow core dumps?',
        body: 'When a service crashes, an image of its memory is kept for support. It may contain data of the service.',
        action: 'Allow core dumps',
      }))
    if (sure) save.mutate({ enableCoreDumps: !enableCoreDumps })
  }
  return (
    <Panel
      title="Core dumps"
      aside={
        <StatusChip tone={enableCoreDumps ? 'warn' : 'neutral'}>
          {enableCoreDumps == null ? 'Not reported' : enableCoreDumps ? 'Allowed' : 'Not allowed'}
        </StatusChip>
      }
    >
      <Column gap={12}>
        <Text color="textSecondary">
          An image of the memory of a service that crashed helps support to find the cause, and may contain data. A
          service has core dumps only if the organization allows them.
        </Text>
        <div>
          <DisabledReason reason={locked}>
            <Button disabled={locked !== undefined} loading={save.isPending} onClick={() => void toggle()}>
              {enableCoreDumps ? 'Forbid core dumps' : 'Allow core dumps'}
            </Button>
          </DisabledReason>
        </div>
      </Column>
    </Panel>
  )
}

const schema = z.object({ name: organizationUpdate.shape.name.unwrap() })

/** The name of the organization. */
function NameForm({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const { control, handleSubmit, formState } = useSchemaForm(
    schema,
    { name: organization.name ?? '' },
    { mode: 'onChange' },
  )
  const save = useOrganizationUpdate(organization, () => 'Organization renamed')
  const reason = locked ?? (formState.isDirty ? undefined : 'The name is unchanged.')
  const submit = handleSubmit(({ name }) => save.mutate({ name }))
  return (
    <form
      noValidate
      className={css.nameForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) void submit()
      }}
    >
      <div className={css.settingsName}>
        <TextField control={control} name="name" label="Name" disabled={locked} />
      </div>
      <DisabledReason reason={reason}>
        <Button type="submit" disabled={reason !== undefined} loading={save.isPending}>
          Rename
        </Button>
      </DisabledReason>
    </form>
  )
}

type Endpoint = NonNullable<Organization['privateEndpoints']>[number]

/** The private endpoints that services of the organization may use. New ones are attached to a service. */
function PrivateEndpointsPanel({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const save = useOrganizationUpdate(organization, () => 'Private endpoint removed')
  const endpoints = organization.privateEndpoints ?? []
  const remove = async ({ id }: Endpoint) => {
    const sure = await confirm({
      title: 'Remove private endpoint?',
      body: `Services of the organization can no longer be reached through ${id}.`,
      action: 'Remove endpoint',
      danger: true,
    })
    if (sure) save.mutate({ privateEndpoints: { remove: [{ id }] } })
  }
  return (
    <Panel title="Private endpoints" flush>
      {endpoints.length === 0 ? (
        <PanelText>None. A private endpoint is attached on the page of a service.</PanelText>
      ) : (
        <SmallTable
          label="Private endpoints"
          heads={['ID', 'Description', 'Provider', 'Region', { title: 'Actions', hidden: true }]}
        >
          {endpoints.map((endpoint) => (
            <tr key={endpoint.id}>
              <th scope="row">
                <code>{endpoint.id}</code>
              </th>
              <td>{endpoint.description}</td>
              <td>{endpoint.cloudProvider?.toUpperCase()}</td>
              <td>{endpoint.region}</td>
              <td data-actions="menu">
                <DisabledReason reason={locked}>
                  <IconButton
                    {...hint('Remove')}
                    aria-label={`Remove ${endpoint.id}`}
                    disabled={locked !== undefined || save.isPending}
                    onClick={() => void remove(endpoint)}
                  >
                    <Trash2 size={15} aria-hidden />
                  </IconButton>
                </DisabledReason>
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
    </Panel>
  )
}

type Change = z.input<typeof organizationUpdate>

/**
 * Saves a change of the organization, on top of what the page shows.
 * @param done what is said once it is saved
 */
function useOrganizationUpdate(
  organization: Organization,
  done: (change: Change) => string,
): UseMutationResult<unknown, ApiFailure, Change> {
  const { id: connectionId } = useConnection()
  return useMutation<unknown, ApiFailure, Change>({
    mutationFn: (body) => call(connectionId, organizations.update, { body }, { base: organization }),
    onSuccess: (_, change) => toast({ tone: 'ok', text: done(change) }),
    onError: toastFailure,
    onSettled: () => invalidate(connectionId, 'organizations'),
  })
}
