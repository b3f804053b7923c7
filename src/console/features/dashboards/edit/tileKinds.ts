/** The kinds of tiles that can be added. */
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
import { kindLabel } from '../model/kinds.ts'

export interface TileKind {
  kind: string
  label: string
  /** A description in one line. */
  detail: string
  icon: LucideIcon
}

const known = (kind: string, detail: string, icon: LucideIcon): TileKind => ({
  kind,
  label: kindLabel(kind),
  detail,
  icon,
})

export const tileKinds: readonly TileKind[] = [
  known('line', 'Series over time', ChartLine),
  known('stacked_bar', 'Parts of a whole over time', ChartColumnStacked),
  known('number', 'One value for the range', Hash),
  known('table', 'Values by group', Table2),
  known('bar', 'Groups side by side', ChartBar),
  known('pie', 'Shares of a whole', ChartPie),
  known('heatmap', 'Distribution of traces over time', Grid2x2),
  known('search', 'Rows that match a condition', Search),
  known('event_patterns', 'Groups of similar messages', ListTree),
  known('markdown', 'Markdown', FileText),
]

/** Raw SQL, and types that this console does not know. */
export const otherTiles: readonly TileKind[] = [
  { kind: 'sql', label: 'Raw SQL', detail: 'An SQL statement, shown as a table or chart', icon: DatabaseZap },
  { kind: 'json', label: 'Custom JSON', detail: 'Types that this console does not know', icon: Braces },
]
