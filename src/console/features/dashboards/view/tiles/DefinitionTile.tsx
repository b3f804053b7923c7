import { stringifyJson } from '#contract/wire/json.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { useSourceNames } from '../../model/useSourceNames.ts'
import { formatDefinition } from '../../model/formatDefinition.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './tiles.module.css'

/** A tile without data to draw: the reason, and its definition. */
export function DefinitionTile({ config, reason }: { config: TileConfig | undefined; reason: string }) {
  const names = useSourceNames()
  const words = formatDefinition(config, names.get(config?.sourceId ?? ''))
  const text = words.length > 0 ? words.join('\n') : (config?.sqlTemplate ?? (config ? stringifyJson(config, 2) : ''))
  return (
    <div className={css.definitionTile}>
      <Text color="textSecondary">
        <strong>No data.</strong> {reason}
      </Text>
      {text !== '' && (
        <ScrollRegion as="pre" label="Definition" className={css.definitionScroller}>
          {text}
        </ScrollRegion>
      )}
    </div>
  )
}
