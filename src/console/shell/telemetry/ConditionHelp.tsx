import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Popover from '@mui/material/Popover'
import Typography from '@mui/material/Typography'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'

const examples: [string, string][] = [
  ['error', 'the word, anywhere in the body'],
  ['"connection refused"', 'the words in this order'],
  ['SeverityText:error', 'the field contains it, in any case'],
  ['SeverityText:"error"', 'the field is exactly this'],
  ['ServiceName:(cart OR checkout)', 'one of several'],
  ['Duration:>1000000', 'comparison: > >= < <='],
  ['SeverityNumber:[17 TO 24]', 'range; { } leaves the ends out, * is open'],
  ['LogAttributes.http.status_code:500', 'an attribute, by its name'],
  ['TraceId:*', 'the field is there'],
  ['-ServiceName:cart, NOT …', 'everything but'],
  ['a b, a AND b, a OR b, (…)', 'both, either, grouping'],
]

/** What the field:value language can say, by example. */
export function ConditionHelp() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        aria-label="Help for conditions"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: 24, height: 24 }}
      >
        <CircleHelp size={15} aria-hidden />
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': 'Conditions', variant: 'outlined', sx: { p: 3.5, maxWidth: 520 } },
        }}
      >
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
          With SQL, the condition is an expression over the source’s columns, such as <code>Duration &gt; 1e9</code>.
        </Typography>
      </Popover>
    </>
  )
}
