import Box from '@mui/material/Box'
import { Check, CircleSlash, Lock, TriangleAlert } from 'lucide-react'
import type { ConnectionTest } from '#contract/connections.ts'
import { Notice } from '#console/ui/Notice.tsx'

type Capability = ConnectionTest['capabilities'][number]

const looks: Record<Capability['state'], { icon: typeof Check; color: string; word: string }> = {
  offered: { icon: Check, color: 'success.main', word: 'offered' },
  notOffered: { icon: CircleSlash, color: 'text.secondary', word: 'not offered' },
  refused: { icon: Lock, color: 'warning.main', word: 'denied for this key' },
  failed: { icon: TriangleAlert, color: 'error.main', word: 'failed' },
}

/** What a test found: one sentence, then each feature with its state in a word. Announced when it appears. */
export function TestResult({ result }: { result: ConnectionTest }) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
      <Notice tone={result.ok ? 'success' : 'error'} role={result.ok ? 'status' : 'alert'}>
        {result.message}
      </Notice>
      {result.capabilities.length > 0 && (
        <Box
          component="ul"
          aria-label="Features found"
          sx={{
            m: 0,
            p: 0,
            listStyle: 'none',
            display: 'grid',
            gridTemplateColumns: 'repeat(auto-fill, minmax(190px, 1fr))',
            gap: 1,
          }}
        >
          {result.capabilities.map((capability) => (
            <CapabilityLine key={capability.resource} capability={capability} />
          ))}
        </Box>
      )}
    </Box>
  )
}

function CapabilityLine({ capability }: { capability: Capability }) {
  const { icon: Icon, color, word } = looks[capability.state]
  return (
    <Box component="li" title={capability.detail} sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
      <Box component={Icon} aria-hidden sx={{ width: 14, height: 14, flexShrink: 0, color }} />
      <span>
        {capability.resource}{' '}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {word}
        </Box>
      </span>
    </Box>
  )
}
