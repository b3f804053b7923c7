import { visibleText } from '#domain/text/visibleText.ts'
import { useState } from 'react'
import * as css from '../dashboards.module.css'

interface TagFilterProps {
  /** Undefined without dashboards, and while they are loading. */
  counts: readonly { tag: string; count: number }[] | undefined
  chosen: readonly string[]
  onChoose: (tags: string[]) => void
}

/** Tags shown before "more". */
const shownAtFirst = 12

/** Tags to filter by: a dashboard must have all chosen tags. Without tags it keeps its place, so that no list moves. */
export function TagFilter({ counts, chosen, onChoose }: TagFilterProps) {
  const [all, setAll] = useState(false)
  if (!counts || counts.length === 0) {
    return <div className={css.tagFilter}>{counts && 'No tags yet. Select dashboards to tag them.'}</div>
  }
  const shown = counts.filter(({ tag }, index) => all || index < shownAtFirst || chosen.includes(tag))
  return (
    <div role="group" aria-label="Tags" className={css.tagFilter}>
      {shown.map(({ tag, count }) => {
        const on = chosen.includes(tag)
        return (
          <button
            key={tag}
            type="button"
            aria-pressed={on}
            onClick={() => onChoose(on ? chosen.filter((other) => other !== tag) : [...chosen, tag])}
          >
            {visibleText(tag)} {count}
          </button>
        )
      })}
      {shown.length < counts.length && (
        <button type="button" onClick={() => setAll(true)}>
          {counts.length - shown.length} more
        </button>
      )}
    </div>
  )
}
