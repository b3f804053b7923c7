import { formatError } from '#console/api/errors.ts'
import { MatchTable } from '#console/charting/rows/MatchTable.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { counted } from '#domain/text/words.ts'
import type { Import } from './useImport.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'

interface SourcesPartProps {
  taken: Import
  /** Called when parts were skipped: an earlier error no longer applies. */
  onLeftOut?: () => void
}

/** The imported dashboard, the mapping of its sources, and the choice for sources without a match. */
export function SourcesPart({ taken, onLeftOut }: SourcesPartProps) {
  const { dashboards, leftOut, sources, matches, missing } = taken
  const tiles = dashboards.reduce((sum, dashboard) => sum + dashboard.tiles.length, 0)
  const filters = dashboards.reduce((sum, dashboard) => sum + dashboard.filters.length, 0)
  const leaveOut = () => {
    taken.leaveOutMissing()
    onLeftOut?.()
  }
  return (
    <>
      <Text color="textSecondary">
        {counted(tiles, 'tile')}, {counted(filters, 'filter')}. Tiles and filters get new IDs.
        {leftOut.length > 0 && ` Left out: ${leftOut.join('; ')}.`}
      </Text>
      {sources.isError && <Notice tone="warning">{formatError(sources.error).sentence}</Notice>}
      {matches.length > 0 && (
        <MatchTable matches={matches} candidates={sources.data ?? []} onChoose={taken.chooseSource} />
      )}
      {sources.data && missing.size > 0 && (
        <Notice tone="warning" action={<Button onClick={leaveOut}>Leave out what uses {it(missing)}</Button>}>
          {missing.size === 1 ? 'One source has' : `${missing.size} sources have`} no match here. The deployment rejects
          dashboards with unknown sources.
        </Notice>
      )}
    </>
  )
}

const it = ({ size }: ReadonlySet<string>): string => (size === 1 ? 'it' : 'them')
