import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { stringifyJson } from '#contract/json.ts'
import type { TileConfig } from '#console/telemetry/tileQuery.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { useSourceNames } from '../../model/useSourceNames.ts'
import { formatDefinition } from '../../model/formatDefinition.ts'

/** What a tile is, where there is no data to draw: the reason, and its definition. */
export function DefinitionTile({ config, reason }: { config: TileConfig | undefined; reason: string }) {
  const names = useSourceNames()
  const words = formatDefinition(config, names.get(config?.sourceId ?? ''))
  const text = words.length > 0 ? words.join('\n') : (config?.sqlTemplate ?? (config ? stringifyJson(config, 2) : ''))
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, p: 3, flexGrow: 1, minHeight: 0 }}>
      <Typography color="textSecondary">
        <strong>No data.</strong> {reason}
      </Typography>
      {text !== '' && (
        <ScrollRegion
          as="pre"
          label="Definition"
          sx={{
            p: 2,
            minHeight: 0,
            bgcolor: 'background.default',
            borderRadius: 1,
            fontFamily: 'var(--mono)',
            fontSize: 11,
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
        >
          {text}
        </ScrollRegion>
      )}
    </Box>
  )
}
