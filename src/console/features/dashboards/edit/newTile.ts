/** The kinds of tiles, and what a new one of each is. */
import type { LucideIcon } from 'lucide-react'
import {
  Braces,
  ChartBar,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  DatabaseZap,
  FileText,
  Grid2x2,
  Hash,
  ListTree,
  Search,
  Table2,
} from 'lucide-react'
import type { Source } from '#contract/sources.ts'
import type { Tile } from '#contract/dashboards.ts'

export interface TileKind {
  kind: string
  label: string
  /** One line: what it is for. */
  detail: string
  icon: LucideIcon
}

export const tileKinds: readonly TileKind[] = [
  { kind: 'line', label: 'Line', detail: 'Series over time', icon: ChartLine },
  { kind: 'stacked_bar', label: 'Stacked bar', detail: 'Parts of a whole over time', icon: ChartColumnStacked },
  { kind: 'number', label: 'Number', detail: 'One value for the range', icon: Hash },
  { kind: 'table', label: 'Table', detail: 'Values by group', icon: Table2 },
  { kind: 'bar', label: 'Bar', detail: 'Groups side by side', icon: ChartBar },
  { kind: 'pie', label: 'Pie', detail: 'Shares of a whole', icon: ChartPie },
  { kind: 'heatmap', label: 'Heatmap', detail: 'Distribution of traces over time', icon: Grid2x2 },
  { kind: 'search', label: 'Search', detail: 'Rows that match a condition', icon: Search },
  { kind: 'event_patterns', label: 'Patterns', detail: 'Kinds of messages', icon: ListTree },
  { kind: 'markdown', label: 'Text', detail: 'Markdown', icon: FileText },
]

/** What is no kind of its own: a statement, and anything that a deployment knows and this console does not. */
export const otherTiles: readonly TileKind[] = [
  { kind: 'sql', label: 'Raw SQL', detail: 'A statement, shown as a table or chart', icon: DatabaseZap },
  { kind: 'json', label: 'Anything as JSON', detail: 'Kinds that this console does not know', icon: Braces },
]

/** The name of a kind, or the kind itself where it is not known. */
export function kindLabel(kind: string): string {
  return tileKinds.find((one) => one.kind === kind)?.label ?? kind
}

const sizes: Record<string, { w: number; h: number }> = {
  number: { w: 6, h: 5 },
  markdown: { w: 8, h: 5 },
  pie: { w: 8, h: 8 },
}

/** A tile of the kind with the least that makes it valid. Its place is chosen where it is added. */
export function newTile(kind: string, source: Pick<Source, 'id' | 'connection'> | undefined): NewTile {
  return { name: '', ...(sizes[kind] ?? { w: 12, h: 8 }), config: configOf(kind, source) }
}

export type NewTile = Pick<Tile, 'name' | 'w' | 'h' | 'config'>

/** The source that a new tile begins with: heatmaps read traces only. */
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
