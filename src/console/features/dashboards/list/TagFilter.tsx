import { useState } from 'react'
import css from './TagFilter.module.css'

interface TagFilterProps {
  counts: readonly { tag: string; count: number }[]
  chosen: readonly string[]
  onChoose: (tags: string[]) => void
}

/** Tags shown before "more". */
const shownAtFirst = 12

/** Tags to filter by: a dashboard must have all chosen tags. */
export function TagFilter({ counts, chosen, onChoose }: TagFilterProps) {
  const [all, setAll] = useState(false)
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
            onClick={() => onChoose(on ? chosen.filter((one) => one !== tag) : [...chosen, tag])}
          >
            {tag} {count}
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
