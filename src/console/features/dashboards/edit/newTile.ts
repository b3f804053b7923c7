/** New tiles by kind. */
import type { Source } from '#contract/stack/sources.ts'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'

const sizes: Record<string, { w: number; h: number }> = {
  number: { w: 6, h: 5 },
  markdown: { w: 8, h: 5 },
  pie: { w: 8, h: 8 },
}

/** A minimal valid tile of the kind. Its place is chosen when it is added. */
export function newTile(kind: string, source: Pick<Source, 'id' | 'connection'> | undefined): NewTile {
  return { name: '', ...(sizes[kind] ?? { w: 12, h: 8 }), config: configOf(kind, source) }
}

export type NewTile = Pick<Tile, 'name' | 'w' | 'h' | 'config'>

/** The default source of a new tile: heatmaps require traces. */
export function sourceFor(kind: string, sources: readonly Source[] = []): Source | undefined {
  return kind === 'heatmap' ? sources.find((source) => source.kind === 'trace') : sources[0]
}

function configOf(kind: string, source: Pick<Source, 'id' | 'connection'> | undefined): NonNullable<Tile['config']> {
  const sourceId = source?.id ?? ''
  switch (kind) {
    case 'sql':
      return {
        configType: 'sql',
        displayType: 'table',
        connectionId: source?.connection ?? '',
        sourceId,
        sqlTemplate: 'SELECT count() AS rows\nFROM $__sourceTable\nWHERE $__filters',
      }
    case 'json':
      return { displayType: '', sourceId }
    case 'markdown':
      return { displayType: kind, markdown: '' }
    case 'search':
    case 'event_patterns':
      return { displayType: kind, sourceId, select: '', where: '', whereLanguage: 'lucene' }
    case 'heatmap':
      return {
        displayType: kind,
        sourceId,
        select: [{ valueExpression: 'Duration' }],
        where: '',
        whereLanguage: 'lucene',
      }
    default:
      return { displayType: kind, sourceId, select: [{ aggFn: 'count', where: '', whereLanguage: 'lucene' }] }
  }
}
