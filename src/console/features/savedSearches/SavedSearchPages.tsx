/** The list of saved searches, and the page of one. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { BellPlus, Search } from 'lucide-react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { listReads, recordReads } from '#console/records/record/recordCalls.ts'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import { sources } from '#contract/stack/sources.ts'
import { paths } from '#console/paths/paths.ts'
import type { Uses } from '#console/records/record/resource.ts'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { SavedSearch } from '#contract/stack/savedSearches.ts'
import { isOffered } from '#console/api/offers/offers.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { RecordDetail } from '#console/records/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { languages } from '#console/charting/conditions/conditions.ts'
import { savedSearchLink } from '#console/charting/search/searchLink.ts'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { search as searchApi } from '#contract/stack/search.ts'
import { savedSearchResource, useSavedSearchUses } from './savedSearchResource.tsx'
import { fieldTitles, readForm, type SavedSearchField } from './savedSearchForm.ts'

SavedSearchesPage.reads = listReads(savedSearchResource, alerts.list, sources.list)

export function SavedSearchesPage() {
  const { id: connectionId } = useConnection()
  const usesOf = useSavedSearchUses()
  const { data } = useQuery(q(connectionId, sources.list, {}))
  const columns = useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]))
    return savedSearchColumns(connectionId, { usesOf, sourceName: (id) => names.get(id) ?? id })
  }, [connectionId, usesOf, data])
  return (
    <RecordList
      resource={savedSearchResource}
      lead="Searches of logs and traces to open again, and to alert on."
      columns={columns}
      empty="Save a search to open it again, share it, or create an alert on it."
      usesOf={usesOf}
    />
  )
}

interface Known {
  sourceName: (id: string) => string
  usesOf: ((id: string) => Uses) | undefined
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function savedSearchColumns(connectionId: string, { sourceName, usesOf }: Known): Column<SavedSearch>[] {
  return [
    nameColumn({
      grow: 0.7,
      width: 160,
      name: (search) => search.name,
      to: (search) => paths.savedSearch(connectionId, search.id),
    }),
    { id: 'source', title: 'Source', width: 120, value: (search) => sourceName(search.sourceId) },
    {
      id: 'condition',
      title: 'Condition',
      grow: 1,
      width: 220,
      value: (search) => search.where || undefined,
      cell: (search) => search.where && <code>{search.where}</code>,
    },
    { id: 'tags', title: 'Tags', grow: 0.3, width: 110, value: (search) => search.tags?.join(', ') || undefined },
    { id: 'usedBy', title: 'Alerts', width: 80, type: 'number', value: (search) => usesOf?.(search.id).count },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', value: (search) => search.updatedAt },
    idColumn(230),
  ]
}

SavedSearchPage.reads = recordReads(savedSearchResource, alerts.list, sources.list)

export function SavedSearchPage() {
  return (
    <ResourceLoader resource={savedSearchResource}>{(search) => <SavedSearchDetail search={search} />}</ResourceLoader>
  )
}

/** The page of a saved search: its condition, its result, and the alerts on it. */
function SavedSearchDetail({ search }: { search: SavedSearch }) {
  const connection = useConnection()
  const { data } = useQuery(q(connection.id, sources.list, {}))
  const source = data?.find(({ id }) => id === search.sourceId)
  const form = readForm(search)
  const code = (field: Exclude<SavedSearchField, 'tags'>, otherwise?: string) =>
    [fieldTitles[field], form[field] ? <code key={field}>{form[field]}</code> : otherwise] as const
  const others = (search.filters ?? []).length - form.filters.split('\n').filter(Boolean).length
  return (
    <RecordDetail
      resource={savedSearchResource}
      record={search}
      usesOf={useSavedSearchUses()}
      actions={useSearchActions(search)}
      state={(search.tags ?? []).map((tag) => (
        <StatusChip key={tag} tone="neutral">
          {tag}
        </StatusChip>
      ))}
    >
      <Panel title="Search">
        <DescriptionList
          rows={[
            [
              fieldTitles.sourceId,
              source ? (
                <TextLink key="source" underline="always" to={paths.source(connection.id, source.id)}>
                  {source.name}
                </TextLink>
              ) : (
                <code key="source">{search.sourceId}</code>
              ),
            ],
            [fieldTitles.whereLanguage, languages.find(({ value }) => value === form.whereLanguage)?.label],
            code('where', 'All rows'),
            code('filters'),
            ['Other filters', others > 0 && `${others} in another language than SQL`],
          ]}
        />
      </Panel>
      <Panel title="Result">
        <DescriptionList rows={[code('select', 'Default of the source'), code('orderBy', 'Newest first')]} />
      </Panel>
    </RecordDetail>
  )
}

function useSearchActions(search: SavedSearch) {
  const connection = useConnection()
  const navigate = useNavigate()
  return useMemo(() => {
    const open = () => navigate({ to: paths.search(connection.id), search: { ...savedSearchLink(search) } })
    const create = () => navigate({ to: paths.newAlert(connection.id), search: { savedSearchId: search.id } })
    return [
      ...(isOffered(connection, 'search', searchApi.query.variants)
        ? [{ label: 'Open search', icon: Search, key: 'o', primary: true, run: () => void open() }]
        : []),
      { label: 'Create alert', icon: BellPlus, run: () => void create() },
    ]
  }, [connection, navigate, search])
}
