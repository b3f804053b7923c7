import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { timeByService, type Trace } from '#domain/traces/trace.ts'
import { formatDuration } from '../row/rowFormat.ts'
import type { ReadSpan } from './useTrace.ts'

interface TimeByServiceProps {
  trace: Trace<ReadSpan>
  colors: ReadonlyMap<string, string>
}

/** The critical path by service. */
export function TimeByService({ trace, colors }: TimeByServiceProps) {
  const shares = timeByService(trace)
  return (
    <Box component="section" aria-label="Where the time went" sx={{ mt: 3 }}>
      <Typography component="h2" variant="h2">
        Where the time went{' '}
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400, fontSize: 12 }}>
          critical path by service
        </Box>
      </Typography>
      <Box sx={{ display: 'flex', gap: '2px', height: 9, my: 2 }} aria-hidden>
        {shares.map(({ service, share }) => (
          <span
            key={service}
            style={{ width: `${share * 100}%`, minWidth: 2, borderRadius: 2, background: colors.get(service) }}
          />
        ))}
      </Box>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, m: 0, p: 0, listStyle: 'none' }}>
        {shares.map(({ service, time, share }) => (
          <li key={service}>
            <span
              style={{
                display: 'inline-block',
                width: 9,
                height: 9,
                marginRight: 6,
                borderRadius: 2,
                background: colors.get(service),
              }}
            />
            {service || '(none)'}{' '}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {(share * 100).toFixed(1)} % · {formatDuration(String(time))}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  )
}
