import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BellPlus, Search } from 'lucide-react'
import { useMemo } from 'react'
import { isOffered } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { RecordDetail } from '#console/records/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { languages } from '#console/charting/conditions/conditions.ts'
import { savedSearchLink } from '#console/charting/search/searchLink.ts'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import type { SavedSearch } from '#contract/stack/savedSearches.ts'
import { search as searchApi } from '#contract/stack/search.ts'
import { sources } from '#contract/stack/sources.ts'
import { fieldTitles, readForm, type SavedSearchField } from './savedSearchForm.ts'
import { savedSearchResource, useSavedSearchUses } from './savedSearchResource.tsx'

export const reads = recordReads(savedSearchResource, alerts.list, sources.list)

export default function SavedSearchPage() {
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
