import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { Uses } from '#console/records/record/resource.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { sourceKinds, type Source } from '#contract/stack/sources.ts'
import { formatSourceKind, tableOf } from './sourceLabels.ts'

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
export function sourceColumns(connectionId: string, usesOf: ((id: string) => Uses) | undefined): Column<Source>[] {
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
