import { useImperativeHandle, type Ref } from 'react'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { PatternTable, SampleNote } from '#console/shell/telemetry/patterns/PatternTable.tsx'
import { usePatterns } from '#console/shell/telemetry/patterns/usePatterns.ts'
import type { ResultRow } from '#console/telemetry/rows/columns.ts'
import type { RowsQuery } from '#console/telemetry/rows/readRows.ts'
import type { SearchLink } from '#console/telemetry/search/searchLink.ts'
import type { Source } from '#contract/sources.ts'
import type { TileExport } from './tileExport.ts'
import table from './tileTable.module.css'

interface PatternRowsProps {
  connectionId: string
  source: Source
  /** The query of `rows`. */
  query: RowsQuery
  /** The newest. */
  rows: readonly ResultRow[]
  /** Whether there are no others, so that nothing is to be sampled. */
  isAll: boolean
  link: SearchLink | undefined
  drawn?: Ref<TileExport | null> | undefined
}

/** The patterns of a tile; each leads to its newest row, which shows the values. */
export function PatternRows({ connectionId, source, query, rows, isAll, link, drawn }: PatternRowsProps) {
  const found = usePatterns({ connectionId, source, query, newest: rows, isAll })
  const { patterns, isSample, total } = found
  useImperativeHandle(drawn, () => ({
    lines: () => [['Count', 'Pattern'], ...patterns.map((one) => [String(one.rows.length), one.pattern])],
  }))
  return (
    <>
      <PatternTable
        patterns={found}
        renderLink={({ pattern, newest }) => (
          <TextLink
            to={paths.search(connectionId)}
            search={{ ...link, ...(isSample && total !== undefined && endingWith(newest)), row: newest.key }}
            disabled={!link}
            row
          >
            {pattern}
          </TextLink>
        )}
      />
      <SampleNote patterns={found} className={table.note} />
    </>
  )
}

/** The search lists the newest rows first: with this end, an old row is among them. */
const endingWith = ({ at }: ResultRow) => (Number.isNaN(at) ? {} : { to: String(Math.floor(at) + 1) })
