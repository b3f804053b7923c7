import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { useState } from 'react'

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
    <Box role="group" aria-label="Tags" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mb: 3 }}>
      {shown.map(({ tag, count }) => {
        const on = chosen.includes(tag)
        return (
          <Chip
            key={tag}
            size="small"
            label={`${tag} ${count}`}
            aria-pressed={on}
            color={on ? 'primary' : 'default'}
            variant={on ? 'filled' : 'outlined'}
            onClick={() => onChoose(on ? chosen.filter((one) => one !== tag) : [...chosen, tag])}
          />
        )
      })}
      {shown.length < counts.length && (
        <Chip size="small" label={`${counts.length - shown.length} more`} onClick={() => setAll(true)} />
      )}
    </Box>
  )
}
