import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { RecordDetail } from '#console/records/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { sources, type Source } from '#contract/stack/sources.ts'
import { correlatedNames, expressionNames, metricTableNames } from './fields.ts'
import { fieldTitles, readForm, type SourceField } from './sourceForm.ts'
import { formatSourceKind, tableOf } from './sourceLabels.ts'
import { useDataConnections } from './useDataConnections.ts'
import { sourceReads, sourceResource, useSourceLock, useSourceUses } from './sourceResource.tsx'

export { sourceReads as reads }

export default function SourcePage() {
  return <ResourceLoader resource={sourceResource}>{(source) => <SourceDetail source={source} />}</ResourceLoader>
}

/** The page of a source: its table, and the meaning of its columns. */
function SourceDetail({ source }: { source: Source }) {
  const form = readForm(source)
  const code = (field: SourceField) =>
    [fieldTitles[field], form[field] && <code key={field}>{form[field]}</code>] as const
  return (
    <RecordDetail
      resource={sourceResource}
      record={source}
      locked={useSourceLock()}
      usesOf={useSourceUses()}
      state={
        <>
          <StatusChip tone="neutral">{formatSourceKind(source.kind)}</StatusChip>
          {source.missingTables && <StatusChip tone="warn">No table yet</StatusChip>}
          {source.disabled && <StatusChip tone="warn">Disabled</StatusChip>}
        </>
      }
      lead={tableOf(source) && `Reads ${tableOf(source)}.`}
    >
      <MissingTables names={source.missingTables ?? []} />
      <Panel title="Table">
        <DescriptionList
          rows={[
            code('databaseName'),
            code('tableName'),
            ...metricTableNames.map(code),
            [
              fieldTitles.connection,
              source.connection && <DataConnectionName key="connection" id={source.connection} />,
            ],
            [fieldTitles.section, source.section],
          ]}
        />
      </Panel>
      <Panel title="Columns">
        <DescriptionList rows={expressionNames.map(code)} />
      </Panel>
      <CorrelatedSources source={source} />
    </RecordDetail>
  )
}

/** A source may be made before its table. */
function MissingTables({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Notice tone="warning">
      {names.length === 1 ? 'There is no table ' : 'There are no tables '}
      <code>{names.join(', ')}</code> yet. Charts, searches and alerts of this source have no data until{' '}
      {names.length === 1 ? 'it exists' : 'they exist'}.
    </Notice>
  )
}

/** The name of a data connection; its ID where that is not known. A missing one is pointed out. */
function DataConnectionName({ id }: { id: string }) {
  const { listed } = useDataConnections()
  const name = listed?.find((candidate) => candidate.id === id)?.name
  if (name) return <span title={id}>{name}</span>
  if (!listed || name !== undefined) return <code>{id}</code>
  return (
    <Notice tone="warning">
      There is no data connection with the ID <code>{id}</code>.
    </Notice>
  )
}

/** The sources that this one refers to; a missing one is pointed out. */
function CorrelatedSources({ source }: { source: Source }) {
  const connection = useConnection()
  const { data } = useQuery(q(connection.id, sources.list, {}))
  const form = readForm(source)
  const named = correlatedNames.filter((name) => form[name] !== '')
  if (named.length === 0) return null
  return (
    <Panel title="Correlated sources">
      <DescriptionList
        rows={named.map((name) => {
          const other = data?.find(({ id }) => id === form[name])
          return [
            fieldTitles[name],
            other ? (
              <TextLink key={name} underline="always" to={paths.source(connection.id, other.id)}>
                {other.name}
              </TextLink>
            ) : (
              <Notice key={name} tone="warning">
                There is no source with the ID <code>{form[name]}</code>.
              </Notice>
            ),
          ]
        })}
      />
    </Panel>
  )
}
