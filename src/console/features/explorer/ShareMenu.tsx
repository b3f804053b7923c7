import { Database, Globe, Link, Lock, Share, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { stringifySearch } from '#console/shell/urlState.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import { charts } from '#contract/stack/charts.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { Span } from '#domain/time/span.ts'
import type { ExplorerState, Search } from './state.ts'
import type { Explorer } from './useExplorer.ts'
import type { ExplorerData } from './useExplorerData.ts'

const ChartStatement = lazyComponent(
  async () => (await import('#console/charting/statement/ChartStatement.tsx')).ChartStatement,
)

const ShareChart = lazyComponent(async () => {
  const [{ ShareTile }, { kindOf, tileOf }] = await Promise.all([
    import('#console/records/sharing/ShareTile.tsx'),
    import('./tile.ts'),
  ])
  return function ShareChart({ state, ...place }: ShareChartProps) {
    const saved = tileOf(state, place.sources, { kind: kindOf(state), only: null })
    return <ShareTile {...place} saved={saved} range={state} zone={state.tz} granularity={state.g} />
  }
})

interface ShareChartProps {
  connection: Connection
  sources: readonly Source[]
  state: ExplorerState
  span: Span
  onClose: () => void
}

interface ShareMenuProps {
  connection: Connection
  explorer: Explorer
  sources: readonly Source[]
  data: ExplorerData
}

/** Shares the query: a link with a relative or a fixed range, the request, or its SQL. */
export function ShareMenu({ connection, explorer, sources, data: { request } }: ShareMenuProps) {
  const [showing, setShowing] = useState(false)
  const [sharing, setSharing] = useState(false)
  return (
    <>
      <MenuButton
        icon={Share}
        label="Share"
        choices={[
          {
            icon: Link,
            label: 'Copy link',
            detail: 'keeps relative times',
            run: () => copyText(linkTo(explorer.searchOf({})), 'Link'),
          },
          {
            icon: Lock,
            label: 'Copy link with fixed times',
            detail: 'always shows this time range',
            run: () => copyText(linkTo(explorer.searchOf(absoluteRange(request.span))), 'Link'),
          },
          {
            icon: Globe,
            label: 'Public link…',
            detail: 'for people without an account',
            run: () => setSharing(true),
          },
          {
            icon: SquareTerminal,
            label: 'Copy as cURL',
            detail: 'request to the deployment; fill in $KEY',
            run: async () => {
              const { curlOf } = await import('#console/api/curl.ts')
              const body = portableQuery(request.query, sources)
              await copyText(curlOf(connection, charts.query, { body }) ?? '', 'Command')
            },
          },
          {
            icon: Database,
            label: 'Show SQL',
            detail: 'a draft where the deployment does not tell it',
            run: () => setShowing(true),
          },
        ]}
      />
      {sharing && (
        <ShareChart
          {...{ connection, sources }}
          state={explorer.state}
          span={request.span}
          onClose={() => setSharing(false)}
        />
      )}
      {showing && (
        <ChartStatement
          connectionId={connection.id}
          query={request.query}
          sources={sources}
          onClose={() => setShowing(false)}
        />
      )}
    </>
  )
}

const linkTo = (search: Search) => location.origin + location.pathname + stringifySearch(search)
