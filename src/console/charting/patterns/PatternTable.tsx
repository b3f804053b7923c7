import type { ReactNode } from 'react'
import { formatError } from '#console/api/errors.ts'
import { sampleWindows } from '#console/charting/rows/sampleRows.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { colorVariable, semanticIndex } from '#console/ui/series/palette.ts'
import { semanticColorOf } from '#console/ui/series/seriesStyles.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { CountedPattern } from '#domain/text/countedPatterns.ts'
import { counted } from '#domain/text/words.ts'
import * as css from '../charting.module.css'
import type { Patterns } from './usePatterns.ts'

interface PatternTableProps<P extends CountedPattern> {
  patterns: { patterns: readonly P[] } & Pick<Patterns, 'read' | 'isSample'>
  /** The text of a pattern, as a link where it leads to its rows. */
  renderLink: (pattern: P) => ReactNode
  /** Columns after those of every table. */
  further?: readonly { title: string; render: (pattern: P) => ReactNode }[]
}

/** Patterns of messages with their counts, shares and severities. */
export function PatternTable<P extends CountedPattern>(props: PatternTableProps<P>) {
  const {
    patterns: { patterns, read, isSample },
    renderLink,
    further = [],
  } = props
  const highest = patterns[0]?.count ?? 1
  return (
    <table className={`${css.compactTable} ${css.patterns}`}>
      <thead>
        <tr>
          <th scope="col" className={css.compactTableNumber}>
            {isSample ? 'In sample' : 'Count'}
          </th>
          <th scope="col">Share</th>
          <th scope="col">Pattern</th>
          {further.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {patterns.map((pattern) => (
          <tr key={pattern.pattern}>
            <td className={css.compactTableNumber}>{formatValue(pattern.count)}</td>
            <td>
              <Share {...pattern} read={read} highest={highest} />
            </td>
            <td className={css.patternWide}>{renderLink(pattern)}</td>
            {further.map(({ title, render }) => (
              <td key={title}>{render(pattern)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The share of a pattern as a bar, in the colors of its severities. */
function Share({ count: all, levels, read, highest }: CountedPattern & { read: number; highest: number }) {
  const counts = levels.map(({ level, count }) => `${formatValue(count)} ${level || 'without severity'}`)
  const widths = levels.map(({ count }) => (60 * count) / highest)
  return (
    <span className={css.patternShare}>
      <svg viewBox="0 0 60 6" role="img" aria-label={counts.join(', ')}>
        <title>{counts.join(', ')}</title>
        {levels.map(({ level }, at) => (
          <rect
            key={level}
            x={widths.slice(0, at).reduce((sum, width) => sum + width, 0)}
            width={widths[at]}
            height="6"
            fill={`var(${colorVariable(semanticIndex(semanticColorOf(level) ?? 'neutral'))})`}
          />
        ))}
      </svg>
      {shareText(all, read)}
    </span>
  )
}

/** How many rows the patterns were found in, and a link to read the whole range; nothing where all rows were read. */
export function SampleNote({ patterns, className = '' }: { patterns: Patterns; className?: string | undefined }) {
  const { read, total, isSample, isReading, error, stop, run } = patterns
  if (!isSample) return null
  if (total !== undefined) {
    return (
      <div className={`${css.patternNote} ${className}`} aria-live="polite">
        {sampleText(read, total)}
      </div>
    )
  }
  return (
    <div className={`${css.patternNote} ${className}`} aria-live="polite">
      Patterns of the newest {counted(read, 'row')}.{' '}
      {isReading ? 'Sampling the whole time range…' : error && formatError(error).sentence}
      <Button size="small" onClick={isReading ? stop : run}>
        {isReading ? 'Stop' : 'Read the whole range'}
      </Button>
    </div>
  )
}

/** "Patterns of 996 of 73,214 rows (1.3 %), from 6 parts of the range." */
function sampleText(read: number, total: number): string {
  // Rows come in while the sample is read.
  if (read >= total) return `Patterns of ${counted(read, 'row')}.`
  return `Patterns of ${formatValue(read)} of ${counted(total, 'row')} (${shareText(read, total)}), from ${sampleWindows} parts of the range.`
}

/** Rounded down: 997 of 1,000 are not all of them. */
const shareText = (count: number, all: number) => {
  const percent = Math.floor((1000 * count) / all) / 10
  return `${percent === 0 && count > 0 ? 'less than 0.1' : percent} %`
}
