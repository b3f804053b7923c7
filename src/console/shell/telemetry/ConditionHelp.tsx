import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'

const examples: [string, string][] = [
  ['error', 'the word, anywhere in the body'],
  ['"connection refused"', 'the exact phrase'],
  ['SeverityText:error', 'field contains the word, case-insensitive'],
  ['SeverityText:"error"', 'field equals the value'],
  ['ServiceName:(cart OR checkout)', 'any of the values'],
  ['Duration:>1000000', 'comparison: > >= < <='],
  ['SeverityNumber:[17 TO 24]', 'range; { } excludes the bounds, * is unbounded'],
  ['LogAttributes.http.status_code:500', 'attribute by name'],
  ['TraceId:*', 'field exists'],
  ['-ServiceName:cart, NOT …', 'not'],
  ['a b, a AND b, a OR b, (…)', 'and, or, grouping'],
]

/** The syntax of the field:value language, by example. */
export function ConditionHelp() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        aria-label="Condition help"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: 24, height: 24 }}
      >
        <CircleHelp size={15} aria-hidden />
      </IconButton>
      <PanelPopover label="Conditions" anchor={anchor} onClose={() => setAnchor(null)} sx={{ p: 3.5, maxWidth: 520 }}>
        <Typography variant="h3" component="h2" sx={{ mb: 2 }}>
          Conditions
        </Typography>
        <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 4, rowGap: 1.5 }}>
          {examples.map(([example, meaning]) => (
            <Box key={example} sx={{ display: 'contents' }}>
              <dt>
                <code>{example}</code>
              </dt>
              <Box component="dd" sx={{ m: 0, color: 'text.secondary' }}>
                {meaning}
              </Box>
            </Box>
          ))}
        </Box>
        <Typography color="textSecondary" sx={{ mt: 3 }}>
          In SQL, a condition is an expression over the columns of the source, such as <code>Duration &gt; 1e9</code>.
        </Typography>
      </PanelPopover>
    </>
  )
}
