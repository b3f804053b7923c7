/** The texts of a chart's marks. */
import type { MarkerKind } from '#contract/console/markerKinds.ts'
import type { Marker } from '#contract/console/markers.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { capitalized, counted } from '#domain/text/words.ts'
import { kindLabel, recordName } from '#console/shell/recordKinds.tsx'
import { formatBrowser } from '#console/shell/session/browserName.ts'

export const markerKindNames: Readonly<Record<MarkerKind, string>> = {
  deployment: 'Deployments',
  promotion: 'Promotions, restores and imports',
  scaling: 'Scalings',
  outside: 'Changes outside this console',
  alert: 'Alerts',
  silence: 'Silences',
  dashboard: 'Dashboards',
  record: 'Other records',
}

const runs: Readonly<Record<NonNullable<Marker['change']>['cause'], string>> = {
  console: 'run',
  outside: 'run',
  promotion: 'promotion',
  restore: 'restore',
  undo: 'undo',
  fileImport: 'import',
}

/** The record that changed, or the version that was deployed. */
export const nameOf = ({ name, change }: Pick<Marker, 'name' | 'change'>): string =>
  change ? recordName(change.kind, visibleText(name)) : visibleText(name) || 'Unnamed version'

/** "Alert changed, 3 fields", "Data pipe scaled", "Promotion, 12 changes", "Deployment of shop-payment 1.42.0". */
export function markerTitle({ kind, change, release }: Pick<Marker, 'kind' | 'change' | 'release'>): string {
  if (!change) {
    const what = [release?.service, release?.version].flatMap((text) => (text === undefined ? [] : visibleText(text)))
    return what.length > 0 ? `Deployment of ${what.join(' ')}` : 'Deployment'
  }
  const { action, fields, cause, count } = change
  if (kind === 'promotion') return capitalized(`${runs[cause]}, ${counted(count, 'change')}`)
  const record = kindLabel(change.kind).one
  if (kind === 'scaling') return capitalized(`${record} scaled`)
  if (kind === 'silence') return action === 'deleted' ? 'Silence ended' : 'Alert silenced'
  const done = { created: 'created', deleted: 'deleted', operated: 'state changed', updated: 'changed' }[action]
  const detail = action === 'updated' && fields !== undefined ? `, ${counted(fields, 'field')}` : ''
  return capitalized(`${record} ${done}${detail}`)
}

/** The author of a change, or where it was detected. */
export function markerAuthor({ actor, change, release }: Pick<Marker, 'actor' | 'change' | 'release'>): string {
  if (release?.isFound) return 'first rows of this version'
  if (change?.cause === 'outside') return 'outside this console'
  return actor === undefined ? 'this console' : formatBrowser(visibleText(actor))
}
