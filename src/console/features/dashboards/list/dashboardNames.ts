import { counted } from '#domain/text/words.ts'

/** Gives dashboards without a name one for lists. */
export function withDisplayNames(dashboards: readonly { id: string; name: string }[]): { id: string; name: string }[] {
  return dashboards.map(({ id, name }) => ({ id, name: name || 'Untitled dashboard' }))
}

/** One by name, several by number: `dashboard Shop`, `3 dashboards`. */
export function formatDashboards(dashboards: readonly { id: string; name: string }[]): string {
  const [only] = withDisplayNames(dashboards)
  return dashboards.length === 1 && only ? `dashboard ${only.name}` : counted(dashboards.length, 'dashboard')
}
