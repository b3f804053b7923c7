import { BellPlus, ChartSpline, Database, Download, Link, Save } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useOffer } from '#console/api/offers/offers.ts'
import { paths } from '#console/paths/paths.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { rowFileChoices } from '#console/charting/rows/rowFileChoices.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'
import type { Source } from '#contract/stack/sources.ts'
import { severityField, type ResultColumn, type ResultRow } from '#console/charting/rows/columns.ts'
import type { SearchState } from './query/state.ts'
import { storedState, useSavedSearch } from './SavedSearchBar.tsx'

const SearchStatement = lazyComponent(async () => (await import('./SearchStatement.tsx')).SearchStatement)

interface SearchActionsProps {
  connection: Connection
  state: SearchState
  source: Source
  columns: readonly ResultColumn[]
  rows: readonly ResultRow[]
}

/** Actions on a search besides changing it. */
export function SearchActions({ connection, state, source, columns, rows }: SearchActionsProps) {
  const navigate = useNavigate()
  const [showing, setShowing] = useState(false)
  const { reason } = useOffer(connection, 'savedSearches', savedSearches.create.variants)
  const locked = lockReason(connection) ?? reason
  const { data: saved } = useSavedSearch(connection.id, state.saved)
  const isStored = saved !== undefined && storedState(saved, state, source) === null
  const noAlert = locked ?? (isStored ? undefined : 'Save this search first: an alert watches a saved search')
  const save = () =>
    navigate({
      to: paths.newSavedSearch(connection.id),
      search: {
        sourceId: source.id,
        where: state.q,
        whereLanguage: state.lang,
        select: state.cols,
        orderBy: state.order,
      },
    })
  const explore = () =>
    navigate({
      to: paths.explorer(connection.id),
      search: {
        a: 'count',
        'a.in': source.name,
        'a.where': state.q,
        'a.lang': state.lang,
        by: severityField(source),
        from: state.from,
        to: state.to,
        tz: state.tz,
      },
    })
  return (
    <>
      <DisabledReason reason={locked}>
        <Button startIcon={<Save size={14} aria-hidden />} disabled={locked !== undefined} onClick={() => void save()}>
          {state.saved === '' ? 'Save search' : 'Save as'}
        </Button>
      </DisabledReason>
      <DisabledReason reason={noAlert}>
        <Button
          startIcon={<BellPlus size={14} aria-hidden />}
          disabled={noAlert !== undefined}
          onClick={() => void navigate({ to: paths.newAlert(connection.id), search: { savedSearchId: state.saved } })}
        >
          Create alert
        </Button>
      </DisabledReason>
      <MenuButton
        icon={Download}
        label="Export"
        choices={[
          ...rowFileChoices({
            name: 'search',
            detail: 'the rows that are loaded',
            disabled: rows.length === 0 ? 'There are no rows' : undefined,
            csv: async () => (await import('./exportRows.ts')).rowLines(rows, columns),
            json: async () => (await import('./exportRows.ts')).rowsJsonLines(rows, columns),
          }),
          {
            icon: Link,
            label: 'Copy link',
            detail: 'keeps relative times',
            run: () => copyText(location.href, 'Link'),
          },
          { icon: ChartSpline, label: 'Open in explorer', detail: 'the same condition as a chart', run: explore },
          { icon: Database, label: 'Show SQL', detail: 'of the first rows', run: () => setShowing(true) },
        ]}
      />
      {showing && (
        <SearchStatement connectionId={connection.id} {...{ state, source }} onClose={() => setShowing(false)} />
      )}
    </>
  )
}
