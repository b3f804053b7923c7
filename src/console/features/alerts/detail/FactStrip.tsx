import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import type { Fact } from './model/facts.ts'

/** Facts beside each other, each with its label. */
export function FactStrip({ facts, note }: { facts: readonly Fact[]; note?: string | undefined }) {
  return (
    <Card component="section" aria-label="Facts">
      <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', m: 0, px: 3.5, py: 2.5, columnGap: 8, rowGap: 2.5 }}>
        {facts.map(({ label, value, tone }) => (
          <Box key={label} sx={{ minWidth: 0 }}>
            <Box component="dt" sx={{ color: 'text.secondary', fontSize: 12 }}>
              {label}
            </Box>
            <Box component="dd" sx={{ m: 0, fontWeight: 600, ...(tone === 'bad' && { color: 'error.main' }) }}>
              {value}
            </Box>
          </Box>
        ))}
      </Box>
      {note && <Box sx={{ px: 3.5, pb: 2.5, color: 'text.secondary' }}>{note}</Box>}
    </Card>
  )
}
