import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DetailPage } from '#console/shell/record/DetailPage.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { PageAction } from '#console/shell/pageActions.ts'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelGrid } from '#console/ui/layout/PanelGrid.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/connections.ts'
import { stringifyJson } from '#contract/json.ts'
import { sourceInput, sources, type Source } from '#contract/sources.ts'
import { correlatedNames, expressionNames, metricTableNames } from './fields.ts'
import { fieldTitles, readForm, writable } from './sourceForm.ts'
import { useDeleteSource } from './useDeleteSource.tsx'
import { UserLinks } from './UserLinks.tsx'
import { useSourceLock, useSourceUsers } from './useSources.ts'
import { isUsed, formatSourceKind, tableOf } from './sourceLabels.ts'

/** Everything about one source: what it reads, what its columns mean, and who depends on it. */
export function SourceDetail({ source }: { source: Source }) {
  const connection = useConnection()
  const actions = useActions(source)
  const form = readForm(source)
  const expressions = expressionNames.flatMap((name) => {
    const value = form[name]
    return value ? [[fieldTitles[name], <code key={name}>{value}</code>] as const] : []
  })
  return (
    <DetailPage
      title={source.name}
      state={
        <>
          <StatusChip tone="neutral">{formatSourceKind(source.kind)}</StatusChip>
          {source.disabled && <StatusChip tone="warn">Disabled</StatusChip>}
        </>
      }
      lead={`Reads ${tableOf(source) || 'no table of its own'}.`}
      actions={actions}
      command={() => commandOf(connection, source)}
    >
      <PanelGrid>
        <Panel title="Reads">
          <DescriptionList
            rows={[
              ['Database', source.from?.databaseName && <code key="database">{source.from.databaseName}</code>],
              ['Table', source.from?.tableName && <code key="table">{source.from.tableName}</code>],
              ...metricTableNames.map(
                (name) => [fieldTitles[name], form[name] && <code key={name}>{form[name]}</code>] as const,
              ),
              ['Connection', source.connection && <code key="connection">{source.connection}</code>],
              ['Section', source.section],
            ]}
          />
        </Panel>
        <Panel title="Used by">
          <Users source={source} />
        </Panel>
        <Panel title="Expressions">
          <DescriptionList rows={expressions} />
        </Panel>
        <Panel title="JSON" flush>
          <JsonView text={stringifyJson(source, 2)} label="The source as JSON" />
        </Panel>
        <Correlated source={source} />
        <Panel title="Record">
          <DescriptionList rows={[['Id', <CopyId key="id" id={source.id} />]]} />
        </Panel>
      </PanelGrid>
    </DetailPage>
  )
}

function useActions(source: Source): PageAction[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const remove = useDeleteSource()
  const disabled = useSourceLock()
  return useMemo(
    () => [
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        disabled,
        run: () => void remove(source, () => navigate({ to: paths.sources(connection.id) })),
      },
      {
        label: 'Edit',
        icon: Pencil,
        key: 'e',
        disabled,
        run: () => void navigate({ to: paths.editSource(connection.id, source.id) }),
      },
    ],
    [source, connection.id, disabled, navigate, remove],
  )
}

/** The update that would leave the source as it is; the list where the update would be refused. */
function commandOf(connection: Connection, source: Source): string | null {
  const body = sourceInput.safeParse(writable(source))
  return body.success
    ? curlOf(connection, sources.update, { params: { sourceId: source.id }, body: body.data })
    : curlOf(connection, sources.list, {})
}

function Users({ source }: { source: Source }) {
  const users = useSourceUsers()?.(source.id)
  if (!users) return 'Dashboards and alerts are not read yet.'
  if (!isUsed(users)) return 'No dashboard, alert or source names it.'
  return <UserLinks users={users} />
}

/** The sources with what belongs to the same requests; one that is gone is called out. */
function Correlated({ source }: { source: Source }) {
  const connection = useConnection()
  const { data } = useQuery(q(connection.id, sources.list, {}))
  const form = readForm(source)
  const named = correlatedNames.filter((name) => form[name] !== '')
  if (named.length === 0) return null
  return (
    <Panel title="Goes with">
      <DescriptionList
        rows={named.map((name) => {
          const other = data?.find((one) => one.id === form[name])
          return [
            fieldTitles[name],
            other ? (
              <TextLink key={name} underline="always" to={paths.source(connection.id, other.id)}>
                {other.name}
              </TextLink>
            ) : (
              <Notice key={name} tone="warning">
                <code>{form[name]}</code> is not there.
              </Notice>
            ),
          ]
        })}
      />
    </Panel>
  )
}
