/** The names of tile kinds. */
const labels: Record<string, string> = {
  line: 'Line',
  stacked_bar: 'Stacked bar',
  number: 'Number',
  table: 'Table',
  bar: 'Bar',
  pie: 'Pie',
  heatmap: 'Heatmap',
  search: 'Search',
  event_patterns: 'Patterns',
  markdown: 'Text',
}

/** The name of a kind, or the kind itself where it is not known. */
export const kindLabel = (kind: string): string => labels[kind] ?? kind
