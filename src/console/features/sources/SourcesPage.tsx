import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { q } from '#console/api/queries.ts'
import { danglingUses } from '#console/usages/usage.ts'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { type Source, sourceKinds } from '#contract/stack/sources.ts'
import { sourceReads, sourceResource, useSourceLock, useSourceUses } from './sourceResource.tsx'
import * as css from './sources.module.css'
import type { Uses } from '#console/records/record/resource.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { formatSourceKind, tableOf } from './sourceLabels.ts'

export { sourceReads as reads }

export default function SourcesPage() {
  const { id: connectionId } = useConnection()
  const usesOf = useSourceUses()
  const columns = useMemo(() => sourceColumns(connectionId, usesOf), [connectionId, usesOf])
  return (
    <RecordList
      resource={sourceResource}
      lead="Tables that charts, dashboards and alerts read, and what their columns mean."
      columns={columns}
      empty="Dashboards, alerts and the explorer read from sources."
      locked={useSourceLock()}
      usesOf={usesOf}
      renderNotice={(sources) => <MissingSources sources={sources} />}
    />
  )
}

/** Tiles and filters that refer to sources that do not exist: they show nothing, and the API does not report it. */
function MissingSources({ sources }: { sources: readonly Source[] }) {
  const connection = useConnection()
  const { data } = useQuery(q(connection.id, dashboards.list, {}))
  const broken = danglingUses(data ?? [], sources)
  if (broken.length === 0) return null
  return (
    <div className={css.missingSources}>
      <Notice tone="warning">
        <strong>
          {broken.length === 1 ? '1 tile or filter refers' : `${broken.length} tiles and filters refer`} to sources that
          do not exist.
        </strong>{' '}
        They show nothing until you choose another source.
        <ul className={css.sourcesUses}>
          {broken.map((use) => (
            <li key={`${use.dashboard.id} ${use.place} ${use.tileId} ${use.sourceId}`}>
              <TextLink underline="always" to={paths.dashboard(connection.id, use.dashboard.id)}>
                {use.dashboard.name}
              </TextLink>
              , {use.place}: <code>{use.sourceId}</code>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function sourceColumns(connectionId: string, usesOf: ((id: string) => Uses) | undefined): Column<Source>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 0.6,
      width: 150,
      value: (source) => source.name,
      cell: (source) => (
        <>
          <TextLink to={paths.source(connectionId, source.id)} row>
            {source.name}
          </TextLink>{' '}
          {source.disabled && <StatusChip tone="warn">Disabled</StatusChip>}
          {source.missingTables && <StatusChip tone="warn">No table yet</StatusChip>}
        </>
      ),
    },
    {
      id: 'kind',
      title: 'Kind',
      width: 110,
      type: 'choice',
      options: sourceKinds.map((kind) => ({ value: kind, label: formatSourceKind(kind) })),
      value: (source) => source.kind,
      cell: (source) => <StatusChip tone="neutral">{formatSourceKind(source.kind)}</StatusChip>,
    },
    {
      id: 'table',
      title: 'Table',
      grow: 1,
      width: 200,
      value: tableOf,
      cell: (source) => <code>{tableOf(source)}</code>,
    },
    {
      id: 'usedBy',
      title: 'Used by',
      grow: 0.5,
      width: 170,
      value: (source) => usesOf && (usesOf(source.id).summary || 'nothing'),
    },
    { id: 'section', title: 'Section', width: 120, hidden: true, value: (source) => source.section },
    { id: 'disabled', title: 'Disabled', width: 90, type: 'boolean', hidden: true, value: (source) => source.disabled },
    {
      id: 'id',
      title: 'ID',
      width: 230,
      value: (source) => source.id,
      cell: (source) => <code>{source.id}</code>,
    },
  ]
}
